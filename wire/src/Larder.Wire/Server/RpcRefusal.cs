using Microsoft.AspNetCore.Http;

namespace Larder.Wire;

/// <summary>The answer, in plain HTTP, to a request that is no gRPC call.</summary>
internal static class RpcRefusal
{
    public static Task Answer(HttpContext http)
    {
        HttpRequest request = http.Request;
        if (!HttpProtocol.IsHttp2(request.Protocol))
        {
            http.Response.StatusCode = StatusCodes.Status426UpgradeRequired;
            http.Response.Headers.Upgrade = "h2c";
        }
        else if (!HttpMethods.IsPost(request.Method))
        {
            http.Response.StatusCode = StatusCodes.Status405MethodNotAllowed;
            http.Response.Headers.Allow = HttpMethods.Post;
        }
        else
        {
            http.Response.StatusCode = StatusCodes.Status415UnsupportedMediaType;
        }

        return Task.CompletedTask;
    }
}
