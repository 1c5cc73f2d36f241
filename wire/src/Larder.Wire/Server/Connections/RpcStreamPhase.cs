namespace Larder.Wire;

/// <summary>The phase of a call on the server. Changed only by <see cref="RpcStream.TryMove"/>, under the connection's lock.</summary>
internal enum RpcStreamPhase
{
    /// <summary>There is no call. The stream is new, kept for reuse, or finished.</summary>
    Idle = 0,

    /// <summary>The request is arriving. The handler has not started.</summary>
    Arriving = 1,

    /// <summary>The handler is running and may write its response.</summary>
    Running = 2,

    /// <summary>The handler has ended. The rest of its response is being sent.</summary>
    Answering = 3,

    /// <summary>The client or the server has abandoned the call. A running handler continues until it ends.</summary>
    Abandoned = 4,

    /// <summary>The stream was abandoned and has ended. It is not reused.</summary>
    Gone = 5,
}
