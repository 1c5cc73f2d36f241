namespace Larder.Lab.Near;

/// <summary>The results of checking the records of a run.</summary>
internal sealed class NearFindings
{
    private const int MaxReportedFindings = 5;

    private readonly SortedDictionary<NearViolation, long> _violations = [];
    private readonly List<string> _reported = [];

    /// <summary>
    /// Gets or sets the staleness of each superseded version that a process read, in ms, in ascending order. This is the time from the moment when the version
    /// was superseded to the start of the last read that returned it.
    /// </summary>
    public double[] StaleMs { get; set; } = [];

    /// <summary>
    /// Gets or sets the time until each write was visible to another process, in ms, in ascending order. This is the time from the end of the write until that
    /// process first read the written version or a later one.
    /// </summary>
    public double[] SeenMs { get; set; } = [];

    /// <summary>Gets the longest staleness, in ms.</summary>
    public double LongestStaleMs => StaleMs.LastOrDefault();

    /// <summary>Gets the number of violations by kind. Kinds without violations are omitted.</summary>
    public IReadOnlyDictionary<NearViolation, long> Violations => _violations;

    /// <summary>Gets the total number of violations.</summary>
    public long ViolationCount => _violations.Values.Sum();

    /// <summary>Gets descriptions of the first few violations.</summary>
    public IReadOnlyList<string> Told => _reported;

    public void Violated(NearViolation violation, string what)
    {
        _violations[violation] = _violations.GetValueOrDefault(violation) + 1;
        if (_reported.Count < MaxReportedFindings)
        {
            _reported.Add(what);
        }
    }

    /// <summary>Returns a quantile of values in ascending order, for a share from 0 to 1. Returns 0 if there are no values.</summary>
    public static double Quantile(double[] ascending, double part) =>
        ascending.Length == 0 ? 0 : ascending[Math.Clamp((int)Math.Ceiling(part * ascending.Length) - 1, 0, ascending.Length - 1)];
}
