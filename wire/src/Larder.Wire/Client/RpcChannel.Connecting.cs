using System.Net;
using System.Net.Http;

namespace Larder.Wire;

public sealed partial class RpcChannel
{
    // A call that no server has: any answer to it, even UNIMPLEMENTED, proves the connection.
    private static readonly string ProbePath = "/larder.wire.Channel/Connect";

    /// <summary>Connects now, so that the first call does not wait for it. It sends a call that no server has and takes any answer.</summary>
    /// <exception cref="RpcException">UNAVAILABLE: the server cannot be reached; the text says why.</exception>
    /// <exception cref="OperationCanceledException">The caller gave it up.</exception>
    public async ValueTask ConnectAsync(CancellationToken cancellationToken)
    {
        using FrameContent content = new();
        content.SetEmpty();
        using HttpRequestMessage request = RequestFactory.Create(content);
        request.RequestUri = new Uri(Endpoint, ProbePath);
        RequestFactory.SetHeaders(request, RpcHeaders.Empty, timeout: null, acceptGzip: false);
        try
        {
            using HttpResponseMessage response = await _invoker.SendAsync(request, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception error) when (error is HttpRequestException or IOException or OperationCanceledException or ObjectDisposedException)
        {
            throw CallFailure.From(error, hasExpired: false, cancellationToken);
        }
    }
}
