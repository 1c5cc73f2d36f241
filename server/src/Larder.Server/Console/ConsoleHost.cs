using System.Globalization;
using System.Net.Security;
using System.Net.Sockets;
using Larder.Server.Console.Api;
using Larder.Server.Metrics;
using Larder.Server.Security;
using Larder.Server.Snapshots;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Https;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Larder.Server.Console;

/// <summary>
/// The HTTP server of the console, on the second port. It serves the page at <c>/</c> (<see cref="PageFiles"/>, <see cref="ConsoleApi"/>), <c>/health</c>,
/// <c>/metrics</c> (Prometheus text), <c>/stats</c> (JSON) and <c>/snapshot</c>, which writes a snapshot (<see cref="SnapshotCommand"/>).
/// <para> If a token is configured, requests must contain a token. Only the files of the page and the health endpoints require no token. If no token is
/// configured, the console listens on loopback only and checks the host name of each request, so that no web page can read the data by DNS rebinding. </para>
/// </summary>
internal sealed class ConsoleHost
{
    /// <summary>The number of file descriptors for the console's connections, including the connections that are being closed.</summary>
    public const int MaxConnections = ConsoleConnections.Max + ConsoleConnections.Closing;

    // The timeout for the request headers and for the TLS handshake is the same as the timeout for the first byte.
    private static readonly TimeSpan OpeningTimeout = ConsoleConnections.FirstByteTimeout;

    // Only requests of the page (ConsoleApi) need a body. A small body of another request is read and ignored, so that its sender receives the response instead
    // of a connection reset.
    private const int MaxBodyBytes = 4 * 1024;

    private readonly ConsoleAccess _access;
    private readonly ConsoleApi _api;
    private readonly StatsReader _stats;
    private readonly ServerMetrics _metrics;
    private readonly SnapshotKeeper? _snapshots;
    private readonly CancellationToken _draining;

    private ConsoleHost(
        ConsoleAccess access,
        ConsoleApi api,
        StatsReader stats,
        ServerMetrics metrics,
        SnapshotKeeper? snapshots,
        CancellationToken draining)
    {
        _access = access;
        _api = api;
        _stats = stats;
        _metrics = metrics;
        _snapshots = snapshots;
        _draining = draining;
    }

    /// <summary>
    /// Builds the console. <see cref="StartAsync"/> starts it, and the caller stops it. On addresses other than loopback, the console uses TLS if the data
    /// port does.
    /// </summary>
    /// <param name="options">The server's options.</param>
    /// <param name="stats">Provides the statistics.</param>
    /// <param name="metrics">The meters of the calls.</param>
    /// <param name="secrets">The console's tokens and certificate.</param>
    /// <param name="authenticator">Blocks addresses and records audit events.</param>
    /// <param name="store">Gives access to the caches that the page shows and changes.</param>
    /// <param name="search">Finds keys for the page.</param>
    /// <param name="snapshots">The snapshots; null if no snapshot file is configured.</param>
    /// <param name="logger">The logger for actions.</param>
    /// <param name="draining">Cancelled when the server shuts down.</param>
    public static WebApplication Build(
        ServerOptions options,
        StatsReader stats,
        ServerMetrics metrics,
        SecretFiles secrets,
        Authenticator authenticator,
        IConsoleStore store,
        KeySearch search,
        SnapshotKeeper? snapshots,
        ILogger logger,
        CancellationToken draining)
    {
        ConsoleAccess access = new(options, secrets.ConsoleGate, secrets.AdminGate, secrets.Access, authenticator);
        ConsoleConnections connections = new(options.TimeProvider);
        // An empty builder reads no other settings. The other builders read and watch appsettings.json in the working directory, and read environment variables
        // such as ASPNETCORE_URLS.
        WebApplicationBuilder builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.Services.AddSingleton<IHostLifetime, NoHostLifetime>();
        builder.WebHost.UseKestrelCore().ConfigureKestrel(kestrel =>
        {
            kestrel.AddServerHeader = false;
            kestrel.Limits.MaxConcurrentConnections = MaxConnections;
            kestrel.Limits.MaxRequestBodySize = MaxBodyBytes;
            kestrel.Limits.RequestHeadersTimeout = OpeningTimeout;
            kestrel.Listen(options.ConsoleHost, options.ConsolePort, listen =>
            {
                listen.Protocols = HttpProtocols.Http1;
                connections.Bound(listen);
                if (!access.IsLoopback && secrets.Tls is not null)
                {
                    connections.BoundRecords(listen);
                    listen.UseHttps(new TlsHandshakeCallbackOptions
                    {
                        OnConnection = _ => ValueTask.FromResult(CertificateAlone(secrets.Tls!)),
                        HandshakeTimeout = OpeningTimeout,
                    });
                    connections.RequireFirstByte(listen);
                }
            });
        });
        WebApplication console = builder.Build();
        ConsoleApi api = new(access, stats, store, search, authenticator, options, logger);
        ConsoleHost host = new(access, api, stats, metrics, snapshots, draining);
        console.Run(host.ServeAsync);
        return console;
    }

    /// <summary>Starts the console.</summary>
    /// <exception cref="ServerOptionsException">The console cannot listen on its address and port.</exception>
    public static async Task StartAsync(WebApplication console, ServerOptions options, CancellationToken cancellationToken)
    {
        try
        {
            await console.StartAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception unbound) when (unbound is IOException or SocketException)
        {
            throw ListenFailure.Of(options.ConsoleHost, "--console-host", options.ConsolePort, "--console-port", unbound);
        }
    }

    /// <summary>Returns the URL of a started console, with the actual port number.</summary>
    public static Uri AddressOf(WebApplication console)
    {
        IServerAddressesFeature addresses = console.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!;
        return new Uri(addresses.Addresses.First());
    }

    // The console does not use client certificates, because metrics scrapers authenticate with a token.
    private static SslServerAuthenticationOptions CertificateAlone(SslServerAuthenticationOptions data) =>
        new() { ServerCertificateContext = data.ServerCertificateContext };

    private async Task ServeAsync(HttpContext context)
    {
        ConsoleConnection? connection = ConsoleConnections.Of(context);
        connection?.Begin();
        try
        {
            await AnswerAsync(context).ConfigureAwait(false);
        }
        finally
        {
            connection?.End();
        }
    }

    private Task AnswerAsync(HttpContext context)
    {
        HttpResponse response = context.Response;
        response.Headers.XContentTypeOptions = "nosniff";
        response.Headers.CacheControl = "no-store";
        string path = context.Request.Path.Value ?? "";
        bool isHealth = path is "/health" or "/health/live" or "/health/ready";
        bool isApi = path.StartsWith(ConsoleApi.Folder, StringComparison.Ordinal);
        if (!isHealth && _access.IsBlocked(context))
        {
            response.Headers.RetryAfter = AuthenticationRateLimiter.BlockTime.TotalSeconds.ToString(CultureInfo.InvariantCulture);
            return RefuseAsync(response, StatusCodes.Status429TooManyRequests, "too many requests from this address had a wrong token; try again later\n");
        }

        if (isApi || PageFiles.Is(path))
        {
            PageFiles.Protect(response);
            if (!_access.IsAllowedHostName(context))
            {
                const string Why = "unknown host name; open the console with localhost, with an address on which it listens, or with a name passed with "
                    + "--console-name\n";
                return RefuseAsync(response, StatusCodes.Status403Forbidden, Why);
            }

            return isApi ? _api.AnswerAsync(context, path) : PageFiles.AnswerAsync(context, path);
        }

        if (_access.IsLoopback && !_access.RequiresReadToken && !ConsoleAccess.IsThisMachine(context.Request.Host.Host))
        {
            return RefuseAsync(response, StatusCodes.Status403Forbidden, "the console only accepts requests for localhost; use localhost in the URL\n");
        }

        ConsoleRight right = _access.RightOf(context.Request);
        if (!isHealth && right == ConsoleRight.None)
        {
            response.Headers.WWWAuthenticate = "Bearer";
            return RefuseAsync(response, StatusCodes.Status401Unauthorized, "the console requires a token; send 'Authorization: Bearer <token>'\n");
        }

        if (path == SnapshotCommand.Path)
        {
            return SnapshotCommand.AnswerAsync(context, right, _snapshots);
        }

        if (!HttpMethods.IsGet(context.Request.Method) && !HttpMethods.IsHead(context.Request.Method))
        {
            return RefuseAsync(response, StatusCodes.Status405MethodNotAllowed, "method not allowed; use GET\n");
        }

        return path switch
        {
            "/health/live" => WriteAsync(response, "text/plain; charset=utf-8", "ok\n"),
            "/health" or "/health/ready" when WhyNotReady is { } why => RefuseAsync(response, StatusCodes.Status503ServiceUnavailable, $"{why}\n"),
            "/health" or "/health/ready" => WriteAsync(response, "text/plain; charset=utf-8", "ok\n"),
            "/metrics" => WriteAsync(response, PrometheusText.ContentType, PrometheusText.Write(_stats.Read(), _metrics.Meters)),
            "/stats" => response.WriteAsJsonAsync(_stats.Read(), StatsJson.Default.StatsDocument, cancellationToken: CancellationToken.None),
            _ => RefuseAsync(
                response,
                StatusCodes.Status404NotFound,
                "not found; available paths are /, /health, /health/live, /health/ready, /metrics, /stats and POST /snapshot\n"),
        };
    }

    private string? WhyNotReady => _draining.IsCancellationRequested ? "draining" : _stats.WhyNotReady;

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
