using System.Runtime.CompilerServices;
using Larder.Wire.Http2;
using Larder.Wire.Threads;

namespace Larder.Wire;

public sealed partial class RpcChannel
{
    /// <summary>Calls a server-streaming rpc.</summary>
    /// <param name="method">The rpc.</param>
    /// <param name="request">Its request.</param>
    /// <param name="headers">Its metadata.</param>
    /// <param name="timeout">The time until the last answer; null for none.</param>
    /// <param name="cancellationToken">Gives the call up, as does leaving the enumeration.</param>
    /// <returns>The answers as they come.</returns>
    /// <exception cref="RpcException">The call failed, perhaps after some answers.</exception>
    /// <exception cref="OperationCanceledException">The caller gave it up.</exception>
    public async IAsyncEnumerable<TResponse> ServerStreamAsync<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method,
        TRequest request,
        RpcHeaders headers,
        TimeSpan? timeout,
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(method);
        ArgumentNullException.ThrowIfNull(headers);
        if (CallFailure.Spent(timeout) is { } spent)
        {
            throw spent;
        }

        using StreamingCall call = new(_options, timeout, cancellationToken);
        await call.SendAsync(StartAsync, method, request, headers).On(PoolQueue.Callers);
        while (await call.ReadMessageAsync().Carefully())
        {
            yield return call.Decode(method.Responses);
        }
    }

    /// <summary>Opens a server-streaming call. It is open when the server has sent its headers.</summary>
    /// <param name="method">The rpc.</param>
    /// <param name="request">Its request.</param>
    /// <param name="headers">Its metadata.</param>
    /// <param name="cancellationToken">Gives the call up, whether it is open or not.</param>
    /// <returns>The open call; the caller disposes it.</returns>
    /// <exception cref="RpcException">It could not be opened, or was refused.</exception>
    /// <exception cref="OperationCanceledException">The caller gave it up.</exception>
    public async Task<StreamingCall> OpenServerStreamAsync<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method,
        TRequest request,
        RpcHeaders headers,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(method);
        ArgumentNullException.ThrowIfNull(headers);
        StreamingCall call = new(_options, timeout: null, cancellationToken);
        try
        {
            await call.SendAsync(StartAsync, method, request, headers).On(PoolQueue.Callers);
            return call;
        }
        catch
        {
            call.Dispose();
            throw;
        }
    }

    /// <summary>Opens a bidirectional call. It is open when the server has sent its headers, which Larder's does at once.</summary>
    /// <param name="path"><c>/package.Service/Rpc</c>.</param>
    /// <param name="headers">Its metadata.</param>
    /// <param name="cancellationToken">Gives up opening; the open call does not depend on it.</param>
    /// <returns>The open call; the caller disposes it.</returns>
    /// <exception cref="RpcException">It could not be opened.</exception>
    /// <exception cref="OperationCanceledException">The caller gave it up.</exception>
    public async Task<DuplexCall> OpenDuplexAsync(string path, RpcHeaders headers, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(headers);
        StreamingStream stream = new(path, headers, timeout: null, request: default, endsRequest: false);
        await StartAsync(stream, timeout: null, cancellationToken).On(PoolQueue.Work);
        try
        {
            await stream.Opened.WaitAsync(cancellationToken).On(PoolQueue.Work);
            stream.ThrowIfFailed();
            return new DuplexCall(stream);
        }
        catch (Exception error)
        {
            stream.Release();
            throw CallFailure.From(error, hasExpired: false, cancellationToken);
        }
    }

    private async Task StartAsync(StreamingStream stream, TimeSpan? timeout, CancellationToken cancellationToken)
    {
        while (!(await ConnectedAsync(timeout, cancellationToken).On(PoolQueue.Work)).TryStart(stream))
        {
            // The connection has closed meanwhile; the next attempt makes another.
        }
    }
}
