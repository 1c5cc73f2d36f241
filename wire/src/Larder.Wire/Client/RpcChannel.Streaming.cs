using System.Buffers;
using System.Net.Http;
using System.Runtime.CompilerServices;

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
        CallFailure.ThrowIfSpent(timeout);
        using StreamingCall call = new(_options, timeout, cancellationToken);
        await call.SendAsync(_invoker, method, request, headers).ConfigureAwait(false);
        while (await call.ReadMessageAsync().ConfigureAwait(false))
        {
            yield return call.Decode(method.Responses);
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
        DuplexContent content = new();
        HttpRequestMessage request = RequestFactory.Create(content);
        request.RequestUri = new Uri(Endpoint, path);
        RequestFactory.SetHeaders(request, headers, timeout: null, _options.AcceptGzip);
        CancellationTokenSource lifetime = new();
        HttpResponseMessage? response = null;
        try
        {
            using CancellationTokenRegistration registration = cancellationToken.UnsafeRegister(static state => ((CancellationTokenSource)state!).Cancel(), lifetime);
            response = await _invoker.SendAsync(request, lifetime.Token).ConfigureAwait(false);
            ResponseStatus.CheckHeaders(response);
            Stream output = await content.Body.WaitAsync(lifetime.Token).ConfigureAwait(false);
            Stream input = await response.Content.ReadAsStreamAsync(CancellationToken.None).ConfigureAwait(false);
            return new DuplexCall(request, content, response, output, input, lifetime);
        }
        catch (Exception error)
        {
            content.Complete();
            response?.Dispose();
            request.Dispose();
            lifetime.Dispose();
            throw CallFailure.From(error, hasExpired: false, cancellationToken);
        }
    }
}
