namespace Larder.Lab.Near;

/// <summary>The findings from the records of a run.</summary>
internal sealed class NearFindings
{
    private const int MaxReportedFindings = 5;

    private readonly SortedDictionary<NearViolation, long> _violations = [];
    private readonly List<string> _reported = [];

    /// <summary>
    /// Gets or sets the staleness of each superseded version that a process read: the time from when it was superseded to the start of the last read that
    /// returned it, in ms, ascending.
    /// </summary>
    public double[] StaleMs { get; set; } = [];

    /// <summary>
    /// Gets or sets, for each version that another process wrote, how long after its write had ended a process first read it or a later one, in ms, ascending.
    /// </summary>
    public double[] SeenMs { get; set; } = [];

    /// <summary>Gets the longest staleness, in ms.</summary>
    public double LongestStaleMs => StaleMs.LastOrDefault();

    /// <summary>Gets the number of violations by kind; kinds without violations are absent.</summary>
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

    /// <summary>Returns the quantile of ascending figures for a share from 0 to 1; 0 if there are none.</summary>
    public static double Quantile(double[] ascending, double part) =>
        ascending.Length == 0 ? 0 : ascending[Math.Clamp((int)Math.Ceiling(part * ascending.Length) - 1, 0, ascending.Length - 1)];
}
