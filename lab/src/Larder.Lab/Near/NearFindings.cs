namespace Larder.Lab.Near;

/// <summary>What the records of a run show.</summary>
internal sealed class NearFindings
{
    private const int ToldAtMost = 5;

    private readonly SortedDictionary<NearViolation, long> _violations = [];
    private readonly List<string> _told = [];

    /// <summary>Of each version that a process read and that is gone: how long after that it last began to read it and got it, in ms, ascending.</summary>
    public double[] StaleMs { get; set; } = [];

    /// <summary>Of each version that another wrote: how long after its write had ended a process first got it, or a later one, in ms, ascending.</summary>
    public double[] SeenMs { get; set; } = [];

    /// <summary>The longest staleness in ms.</summary>
    public double LongestStaleMs => StaleMs.LastOrDefault();

    /// <summary>Violations by kind; only those that there were.</summary>
    public IReadOnlyDictionary<NearViolation, long> Violations => _violations;

    /// <summary>All of them.</summary>
    public long ViolationCount => _violations.Values.Sum();

    /// <summary>The first few in words.</summary>
    public IReadOnlyList<string> Told => _told;

    /// <summary>Counts one.</summary>
    public void Violated(NearViolation violation, string what)
    {
        _violations[violation] = _violations.GetValueOrDefault(violation) + 1;
        if (_told.Count < ToldAtMost)
        {
            _told.Add(what);
        }
    }

    /// <summary>The figure that a part, 0 to 1, of ascending ones does not exceed; 0 of none.</summary>
    public static double Quantile(double[] ascending, double part) =>
        ascending.Length == 0 ? 0 : ascending[Math.Clamp((int)Math.Ceiling(part * ascending.Length) - 1, 0, ascending.Length - 1)];
}
