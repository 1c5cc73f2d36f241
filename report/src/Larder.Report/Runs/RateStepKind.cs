namespace Larder.Report.Runs;

/// <summary>The purpose of a step of the rate search.</summary>
internal enum RateStepKind
{
    /// <summary>Checks whether the largest cap sustains a rate.</summary>
    Probe,

    /// <summary>Checks whether a smaller cap sustains the rate found.</summary>
    Cap,

    /// <summary>Confirms rate and cap in a longer, separate run.</summary>
    Confirm,
}
