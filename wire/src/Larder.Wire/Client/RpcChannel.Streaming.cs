using System.Runtime.CompilerServices;
using Larder.Wire.Http2;
using Larder.Wire.Threads;

namespace Larder.Wire;

public sealed partial class RpcChannel
{
    /// <summary>Calls a server-streaming method.</summary>
    /// <param name="method">The method.</param>
    /// <param name="request">The request.</param>
    /// <param name="headers">The metadata.</param>
    /// <param name="timeout">The maximum time until the last response; null for no limit.</param>
    /// <param name="cancellationToken">Cancels the call. Ending the enumeration early also cancels the call.</param>
    /// <returns>The responses as they arrive.</returns>
    /// <exception cref="RpcException">The call failed, possibly after some responses.</exception>
    /// <exception cref="OperationCanceledException">The caller cancelled the call.</exception>
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
        while (await call.ReadMessageAsync().WithPoolCheck())
        {
            yield return call.Decode(method.Responses);
        }
    }

    /// <summary>Opens a server-streaming call. The task completes when the server has sent its headers.</summary>
    /// <param name="method">The method.</param>
    /// <param name="request">The request.</param>
    /// <param name="headers">The metadata.</param>
    /// <param name="cancellationToken">Cancels the call, before and after it is open.</param>
    /// <returns>The open call, which the caller must dispose.</returns>
    /// <exception cref="RpcException">The call could not be opened or was rejected.</exception>
    /// <exception cref="OperationCanceledException">The caller cancelled the call.</exception>
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

    /// <summary>Opens a bidirectional call. The task completes when the server has sent its headers. Larder's server sends them immediately.</summary>
    /// <param name="path">The method's path: <c>/package.Service/Rpc</c>.</param>
    /// <param name="headers">The metadata.</param>
    /// <param name="cancellationToken">Cancels the attempt to open the call. It has no effect on the open call.</param>
    /// <returns>The open call, which the caller must dispose.</returns>
    /// <exception cref="RpcException">The call could not be opened.</exception>
    /// <exception cref="OperationCanceledException">The caller cancelled the operation.</exception>
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
            // The connection was closed after it was returned. The next iteration opens another one.
        }
    }
}
