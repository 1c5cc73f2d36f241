using System.Net;
using Larder.Server.Metrics;
using Larder.Server.Snapshots;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Larder.Server.Console;

/// <summary>
/// The second, loopback-only port: <c>/health</c>, <c>/metrics</c> (Prometheus text) and <c>/stats</c> (JSON), which are read, and <c>/snapshot</c>
/// (<see cref="SnapshotCommand"/>), which is told. It answers only requests addressed to this machine by name, so that no web page can read it by
/// rebinding a name of its own.
/// </summary>
internal static class ConsoleHost
{
    // A scraper and a person or two; more wait in the kernel's backlog.
    public const int MaxConnections = 64;

    // No request needs a body. A small one is read away, so that its sender sees the answer and not a reset connection.
    private const int MaxBodyBytes = 4 * 1024;

    /// <summary>Builds the console; the caller starts and stops it.</summary>
    /// <param name="port">The port on loopback; 0 takes a free one.</param>
    /// <param name="stats">What is told.</param>
    /// <param name="metrics">The meters of the calls.</param>
    /// <param name="snapshots">The server's snapshots; null where it has no file for them.</param>
    /// <param name="whyNotReady">Why calls cannot be answered now; null where they can.</param>
    /// <param name="draining">Cancelled when the server goes away.</param>
    public static WebApplication Build(
        int port,
        StatsReader stats,
        ServerMetrics metrics,
        SnapshotKeeper? snapshots,
        Func<string?> whyNotReady,
        CancellationToken draining)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<IHostLifetime, NoHostLifetime>();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.AddServerHeader = false;
            kestrel.Limits.MaxConcurrentConnections = MaxConnections;
            kestrel.Limits.MaxRequestBodySize = MaxBodyBytes;
            kestrel.Listen(IPAddress.Loopback, port, listen => listen.Protocols = HttpProtocols.Http1);
        });
        WebApplication console = builder.Build();
        console.Run(context => AnswerAsync(context, stats, metrics, snapshots, whyNotReady, draining));
        return console;
    }

    private static Task AnswerAsync(
        HttpContext context,
        StatsReader stats,
        ServerMetrics metrics,
        SnapshotKeeper? snapshots,
        Func<string?> whyNotReady,
        CancellationToken draining)
    {
        HttpResponse response = context.Response;
        response.Headers.XContentTypeOptions = "nosniff";
        response.Headers.CacheControl = "no-store";
        if (!IsThisMachine(context.Request.Host.Host))
        {
            return RefuseAsync(response, StatusCodes.Status403Forbidden, "the console answers requests for localhost only\n");
        }

        if (context.Request.Path.Value == SnapshotCommand.Path)
        {
            return SnapshotCommand.AnswerAsync(context, snapshots);
        }

        if (!HttpMethods.IsGet(context.Request.Method))
        {
            return RefuseAsync(response, StatusCodes.Status405MethodNotAllowed, "the console only reads: use GET\n");
        }

        return context.Request.Path.Value switch
        {
            "/health" when draining.IsCancellationRequested => RefuseAsync(response, StatusCodes.Status503ServiceUnavailable, "draining\n"),
            "/health" when whyNotReady() is { } why => RefuseAsync(response, StatusCodes.Status503ServiceUnavailable, $"{why}\n"),
            "/health" => WriteAsync(response, "text/plain; charset=utf-8", "ok\n"),
            "/metrics" => WriteAsync(response, PrometheusText.ContentType, PrometheusText.Write(stats.Read(), metrics.Meters)),
            "/stats" => response.WriteAsJsonAsync(stats.Read(), StatsJson.Default.StatsDocument, cancellationToken: CancellationToken.None),
            _ => RefuseAsync(response, StatusCodes.Status404NotFound, "there are /health, /metrics and /stats, and /snapshot to POST to\n"),
        };
    }

    private static bool IsThisMachine(string host) =>
        host is "localhost" or "[::1]" or "::1" || (IPAddress.TryParse(host, out IPAddress? address) && IPAddress.IsLoopback(address));

    internal static Task RefuseAsync(HttpResponse response, int status, string text)
    {
        response.StatusCode = status;
        return WriteAsync(response, "text/plain; charset=utf-8", text);
    }

    private static Task WriteAsync(HttpResponse response, string contentType, string text)
    {
        response.ContentType = contentType;
        return response.WriteAsync(text);
    }
}
