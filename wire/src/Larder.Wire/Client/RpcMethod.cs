using Larder.Wire.Http2;

namespace Larder.Wire;

/// <summary>
/// A method that a client can call. It consists of a path and the codecs of the messages. Create an instance once and share it among all calls.
/// </summary>
/// <typeparam name="TRequest">The type of the request.</typeparam>
/// <typeparam name="TResponse">The type of the response.</typeparam>
/// <param name="path">The path: <c>/package.Service/Rpc</c>.</param>
/// <param name="requests">The codec of the request.</param>
/// <param name="responses">The codec of the response.</param>
public sealed class RpcMethod<TRequest, TResponse>(string path, MessageCodec<TRequest> requests, MessageCodec<TResponse> responses)
{
    /// <summary>Gets the path of the method.</summary>
    public string Path { get; } = path;

    /// <summary>Gets the codec of the request.</summary>
    public MessageCodec<TRequest> Requests { get; } = requests;

    /// <summary>Gets the codec of the response.</summary>
    public MessageCodec<TResponse> Responses { get; } = responses;

    /// <summary>Gets the pool of idle streams for calls of this method.</summary>
    internal UnaryStreams<TResponse> Streams { get; } = new();
}
