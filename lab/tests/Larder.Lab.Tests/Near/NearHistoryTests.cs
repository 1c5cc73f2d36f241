using Larder.Lab.Near;
using Larder.Tuner.Processes;

namespace Larder.Lab.Tests.Near;

public sealed class NearHistoryTests
{
    private const long Ms = 1_000_000;

    private readonly NearHistory _history = new();

    [Fact]
    public void Staleness_is_time_from_overwrite_to_last_stale_read()
    {
        Add(0, Wrote(1, 1, 100), Wrote(1, 2, 1_000), Wrote(1, 3, 5_000));
        Add(1, Read(1, 1, 150, 2_500), Read(1, 2, 2_600, 4_000));

        NearFindings findings = Judge();

        Assert.Equal([0, 1_500], findings.StaleMs);
        Assert.Equal(1_500, findings.LongestStaleMs);
        Assert.Empty(findings.Violations);
    }

    [Theory]
    [InlineData(4_000, 0)]
    [InlineData(4_001, 1)]
    public void Stale_read_after_lease_end_is_a_violation(long began, long violations)
    {
        Add(0, Wrote(1, 1, 100), Wrote(1, 2, 1_000));
        Add(1, Read(1, 1, 150, began));

        NearFindings findings = Judge();

        Assert.Equal(violations, findings.Violations.GetValueOrDefault(NearViolation.PastLease));
        Assert.Equal(violations, findings.Told.Count);
    }

    [Fact]
    public void Write_with_unknown_end_does_not_make_earlier_version_stale()
    {
        Add(0, Wrote(1, 1, 100), "u,1,2,1000000000", Wrote(1, 3, 6_000));
        Add(1, Read(1, 1, 150, 5_000), Read(1, 2, 5_500, 6_500));

        NearFindings findings = Judge();

        Assert.Equal([0, 500], findings.StaleMs);
        Assert.Empty(findings.Violations);
    }

    [Fact]
    public void Separate_reads_of_one_version_are_merged()
    {
        Add(0, Wrote(1, 1, 100), Wrote(1, 2, 1_000));
        Add(1, Read(1, 1, 150, 900), Read(1, 2, 1_100, 1_100), Read(1, 1, 1_150, 1_050));

        Assert.Equal([50], Judge().StaleMs);
    }

    [Fact]
    public void Version_that_was_never_written_is_a_violation()
    {
        Add(0, Wrote(1, 1, 100));
        Add(1, Read(1, 2, 150, 160), Read(2, 1, 150, 160));

        Assert.Equal(2, Judge().Violations[NearViolation.NeverWritten]);
    }

    [Fact]
    public void Miss_without_delete_is_a_violation()
    {
        Add(0, Wrote(1, 15, 100), Wrote(1, 16, 200), Wrote(2, 15, 100));
        Add(1, "m,1,16", "m,2,16");

        NearFindings findings = Judge();

        Assert.Equal(1, findings.Violations[NearViolation.MissedNothing]);
        Assert.Contains("key 2", findings.Told[0], StringComparison.Ordinal);
    }

    [Fact]
    public void Read_of_value_written_before_flush_is_stale()
    {
        Add(0, Wrote(1, 1, 100), Wrote(2, 1, 1_500));
        Add(1, Read(1, 1, 150, 6_000), Read(2, 1, 1_600, 6_000));
        _history.AddFlush(1_000 * Ms, 2_000 * Ms);

        NearFindings findings = Judge();

        Assert.Equal([4_000], findings.StaleMs);
        Assert.Equal(1, findings.Violations[NearViolation.PastLease]);
    }

    [Fact]
    public void Read_of_expired_value_is_a_violation()
    {
        Add(0, Wrote(15, 1, 100), Wrote(14, 1, 100), Wrote(31, 1, 100));
        Add(1, Read(15, 1, 150, 1_650), Read(14, 1, 150, 1_650), Read(31, 1, 150, 1_600));

        NearFindings findings = Judge();

        Assert.Equal(1, findings.Violations[NearViolation.Expired]);
        Assert.Contains("key 15", findings.Told[0], StringComparison.Ordinal);
    }

    [Fact]
    public void SeenMs_is_time_until_first_read_by_another_process()
    {
        Add(0, Wrote(1, 1, 100), Wrote(1, 2, 200), Wrote(1, 3, 300), Wrote(1, 4, 400), Read(1, 4, 390, 500));
        Add(1, Read(1, 1, 90, 95), Read(1, 3, 310, 320));

        // Version 1: another process read it before its write had completed, so SeenMs contains 0.
        // Version 2: no process read it. It became visible when version 3 was read, 110 ms after the write of version 2.
        // Version 3: another process read it 10 ms after its write.
        // Version 4: only the writing process read it, so SeenMs contains no value for it.
        Assert.Equal([0, 10, 110], Judge().SeenMs);
    }

    [Fact]
    public void History_rejects_second_writer_of_a_key_and_invalid_lines()
    {
        Add(0, Wrote(1, 1, 100));

        Assert.Throws<TunerException>(() => Add(1, Wrote(1, 2, 200)));
        Assert.Throws<TunerException>(() => Add(1, "x,1,2,3"));
        Assert.Throws<TunerException>(() => Add(1, "r,1,2,3"));
        Assert.Throws<TunerException>(() => Add(1, "w,1,two,3"));
        Assert.Throws<TunerException>(() => Add(1, ""));
    }

    [Theory]
    [InlineData(0.5, 2)]
    [InlineData(0.51, 3)]
    [InlineData(0.999, 4)]
    [InlineData(0, 1)]
    public void Quantile_returns_smallest_value_covering_the_share(double part, double figure) =>
        Assert.Equal(figure, NearFindings.Quantile([1, 2, 3, 4], part));

    private void Add(int process, params string[] lines) => _history.Add(process, lines);

    private NearFindings Judge() => _history.Judge(new NearRules());

    private static string Wrote(int key, int version, long finishedMs) => $"w,{key},{version},{finishedMs * Ms}";

    private static string Read(int key, int version, long firstEndMs, long lastBeginMs) => $"r,{key},{version},{firstEndMs * Ms},{lastBeginMs * Ms}";
}
