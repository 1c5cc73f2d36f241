using Larder.Wire;

namespace Larder.Client;

/// <summary>
/// One connection and the calls on it. This is an abstraction of <see cref="RpcChannel"/> that allows testing the pool and the transports without a network.
/// </summary>
internal interface IChannel : IAsyncDisposable
{
    /// <summary>Gets whether the channel has a connection that accepts new calls.</summary>
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
