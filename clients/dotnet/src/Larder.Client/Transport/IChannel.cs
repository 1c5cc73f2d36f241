using Larder.Wire;

namespace Larder.Client;

/// <summary>
/// One connection and the calls over it: an abstraction of <see cref="RpcChannel"/>, so that pool and transports can be tested without a network.
/// </summary>
internal interface IChannel : IAsyncDisposable
{
    /// <summary>Whether it has a connection that accepts new calls.</summary>
    bool IsConnected { get; }

    ValueTask ConnectAsync(CancellationToken cancellationToken);

    ValueTask<TResponse> UnaryAsync<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method,
        TRequest request,
        RpcHeaders headers,
        TimeSpan timeout,
        CancellationToken cancellationToken);

    IAsyncEnumerable<TResponse> ServerStreamAsync<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method,
        TRequest request,
        RpcHeaders headers,
        TimeSpan timeout,
        CancellationToken cancellationToken);
}
