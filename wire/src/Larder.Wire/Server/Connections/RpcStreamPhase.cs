namespace Larder.Wire;

/// <summary>How far a stream of the server is with its call. Changed under its connection's lock, by <see cref="RpcStream.TryMove"/> alone.</summary>
internal enum RpcStreamPhase
{
    /// <summary>Of no call: new, kept for the next, or over.</summary>
    Idle = 0,

    /// <summary>Its request arrives; its handler was not started.</summary>
    Arriving = 1,

    /// <summary>Its handler runs, and may answer.</summary>
    Running = 2,

    /// <summary>Its handler has ended; the rest of its answer goes out.</summary>
    Answering = 3,

    /// <summary>The peer or the server wants no more of it; a handler that runs goes on until it ends.</summary>
    Abandoned = 4,

    /// <summary>It was abandoned, and is over: not used again.</summary>
    Gone = 5,
}
