namespace Larder.Report.Runs;

/// <summary>The purpose of a step of the rate search.</summary>
internal enum RateStepKind
{
    /// <summary>Checks whether the largest concurrency limit sustains a rate.</summary>
    Probe,

    /// <summary>Checks whether a smaller concurrency limit sustains the rate that was found.</summary>
    Cap,

    /// <summary>Confirms the rate and the concurrency limit in a longer, separate run.</summary>
    Confirm,
}
