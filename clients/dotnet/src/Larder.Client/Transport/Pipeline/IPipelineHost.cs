using Larder.Client.Calls;

namespace Larder.Client.Pipeline;

/// <summary>The methods that a stream calls on the transport that opened it.</summary>
internal interface IPipelineHost
{
    Clock Clock { get; }

    /// <summary>Sends a call again as a unary call, because the server requested this (PIPE-9). The call must be Busy.</summary>
    void RepeatAsUnary(Call call, long version);

    /// <summary>
    /// Handles a stream that accepts no more calls, because it is draining or has no unused ids. Returns whether another stream is open.
    /// </summary>
    bool OnRetired(PipelineStream stream, string reason);

    /// <summary>Handles the end of a stream. Called before the calls of the stream fail. Returns whether another stream is open.</summary>
    bool OnEnded(PipelineStream stream, int calls, string reason, bool isRefused);
}
