-- Auth's tests use no tables of the project's own.
select;
