using Larder.Client.Calls;

namespace Larder.Client.Pipeline;

/// <summary>What a stream needs from the transport that opened it.</summary>
internal interface IPipelineHost
{
    Clock Clock { get; }

    /// <summary>Repeats a call as a unary call at the server's request (PIPE-9). The call must be Busy.</summary>
    void RepeatAsUnary(Call call, long version);

    /// <summary>Called when the stream accepts no more calls, because it is draining or out of ids.</summary>
    void OnRetired(PipelineStream stream, string reason);

    /// <summary>Called when the stream has ended, before its calls fail.</summary>
    void OnEnded(PipelineStream stream, int calls, string reason, bool isRefused);
}
