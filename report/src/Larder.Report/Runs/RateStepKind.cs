namespace Larder.Report.Runs;

/// <summary>What a step of the rate search asks.</summary>
internal enum RateStepKind
{
    /// <summary>Whether a rate is carried, by the largest cap.</summary>
    Probe,

    /// <summary>Whether a smaller cap carries the rate found.</summary>
    Cap,

    /// <summary>Whether both hold over a longer run of its own.</summary>
    Confirm,
}
