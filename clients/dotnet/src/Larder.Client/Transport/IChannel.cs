using Larder.Wire;

namespace Larder.Client;

/// <summary>
/// One connection, and the calls over it: <see cref="RpcChannel"/> as the pool and the transports see it, so that they are tested without a network.
/// </summary>
internal interface IChannel : IAsyncDisposable
{
    /// <summary>True while it has a connection that takes new calls.</summary>
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
