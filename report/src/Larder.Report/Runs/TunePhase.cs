namespace Larder.Report.Runs;

/// <summary>The parts of a run.</summary>
internal enum TunePhase
{
    /// <summary>Warming up: nothing counts.</summary>
    WarmUp,

    /// <summary>Closed loop, for the knee.</summary>
    Search,

    /// <summary>Open loop, at shares of the knee's throughput: in runs of version 1 only.</summary>
    Proof,

    /// <summary>Open loop, for the highest rate.</summary>
    Rate,

    /// <summary>Against channels.</summary>
    Channels,

    /// <summary>The adaptive cap beside fixed ones.</summary>
    Adaptive,
}
