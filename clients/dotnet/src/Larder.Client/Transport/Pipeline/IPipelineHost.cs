using Larder.Client.Calls;

namespace Larder.Client.Pipeline;

/// <summary>What a stream needs of the transport that opened it.</summary>
internal interface IPipelineHost
{
    Clock Clock { get; }

    /// <summary>The server asks for a call to be repeated as a unary one (PIPE-9). The call comes Busy.</summary>
    void RepeatAsUnary(Call call, long version);

    /// <summary>The stream takes no more calls: it is draining, or out of ids.</summary>
    void OnRetired(PipelineStream stream, string reason);

    /// <summary>The stream has ended; its calls have failed, and been told so.</summary>
    void OnEnded(PipelineStream stream, int calls, string reason, bool isRefused);
}
