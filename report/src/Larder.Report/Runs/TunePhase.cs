namespace Larder.Report.Runs;

/// <summary>The phases of a run.</summary>
internal enum TunePhase
{
    /// <summary>Warm-up, which is not measured.</summary>
    WarmUp,

    /// <summary>The closed-loop search for the knee.</summary>
    Search,

    /// <summary>An open loop at shares of the knee's throughput; only in runs of version 1.</summary>
    Proof,

    /// <summary>The open-loop search for the highest rate.</summary>
    Rate,

    /// <summary>The comparison of numbers of channels.</summary>
    Channels,

    /// <summary>The comparison of the adaptive cap with fixed caps.</summary>
    Adaptive,
}
