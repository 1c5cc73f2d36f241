using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>A call that a client makes: its path and the codecs of its messages. Made once and shared.</summary>
/// <typeparam name="TRequest">The request.</typeparam>
/// <typeparam name="TResponse">The answer.</typeparam>
/// <param name="path"><c>/package.Service/Rpc</c>.</param>
/// <param name="requests">The request's codec.</param>
/// <param name="responses">The answer's codec.</param>
public sealed class RpcMethod<TRequest, TResponse>(string path, MessageCodec<TRequest> requests, MessageCodec<TResponse> responses)
{
    /// <summary>The call's path.</summary>
    public string Path { get; } = path;

    /// <summary>The request's codec.</summary>
    public MessageCodec<TRequest> Requests { get; } = requests;

    /// <summary>The answer's codec.</summary>
    public MessageCodec<TResponse> Responses { get; } = responses;

    /// <summary>The idle streams of its calls.</summary>
    internal UnaryStreams<TResponse> Streams { get; } = new();
}
