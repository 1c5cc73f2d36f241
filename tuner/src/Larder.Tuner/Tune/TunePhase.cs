namespace Larder.Tuner.Tune;

/// <summary>The parts of a run.</summary>
internal enum TunePhase
{
    /// <summary>Warming up: nothing counts.</summary>
    WarmUp,

    /// <summary>Closed loop, for the knee.</summary>
    Search,

    /// <summary>Open loop, at shares of the knee's throughput.</summary>
    Proof,

    /// <summary>Against channels.</summary>
    Channels,

    /// <summary>The adaptive cap beside fixed ones.</summary>
    Adaptive,
}
