namespace Larder.Report.Runs;

/// <summary>The phases of a run.</summary>
internal enum TunePhase
{
    /// <summary>Warm-up, which is not measured.</summary>
    WarmUp,

    /// <summary>The closed-loop search for the knee.</summary>
    Search,

    /// <summary>An open loop at shares of the knee's throughput. Only runs of version 1 have this phase.</summary>
    Proof,

    /// <summary>The open-loop search for the highest rate.</summary>
    Rate,

    /// <summary>The comparison of numbers of channels.</summary>
    Channels,

    /// <summary>The comparison of the adaptive limit with fixed limits.</summary>
    Adaptive,
}
