using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Larder.Server.Metrics;
using Larder.Wire;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Https;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Larder.Server;

/// <summary>The data port: one Kestrel endpoint that speaks HTTP/2 only, in plaintext or over TLS.</summary>
internal static class DataHost
{
    /// <summary>Builds the host; the caller starts and stops it.</summary>
    public static WebApplication Build(ServerOptions options, ILoggerFactory loggers, ServerMetrics metrics, RpcRouter router)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<IHostLifetime, NoHostLifetime>();
        builder.Services.AddSingleton(loggers);
        builder.Services.Configure<HostOptions>(host => host.ShutdownTimeout = options.DrainTimeout);
        X509Certificate2? certificate = LoadCertificate(options);
        builder.WebHost.UseKestrelHttpsConfiguration();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            WireHostingOptions limits = new() { MaxStreamsPerConnection = options.MaxStreamsPerConnection, MaxConnections = options.MaxConnections };
            kestrel.ConfigureForRpc(limits);
            kestrel.Listen(options.Host, options.Port, listen =>
            {
                listen.UseRpc();
                listen.Use(next => async connection =>
                {
                    metrics.ConnectionOpened();
                    try
                    {
                        await next(connection).ConfigureAwait(false);
                    }
                    finally
                    {
                        metrics.ConnectionClosed();
                    }
                });
                if (certificate is not null)
                {
                    listen.UseHttps(new HttpsConnectionAdapterOptions { ServerCertificate = certificate });
                }

                listen.UseConnectionGuard(limits);
            });
        });
        WebApplication host = builder.Build();
        host.Run(router.InvokeAsync);
        return host;
    }

    private static X509Certificate2? LoadCertificate(ServerOptions options)
    {
        if (options.TlsCertificatePath is not { } path)
        {
            return null;
        }

        try
        {
            return X509Certificate2.CreateFromPemFile(path, options.TlsKeyPath);
        }
        catch (Exception error) when (error is CryptographicException or IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ServerOptionsException($"the certificate {path} with the key {options.TlsKeyPath} cannot be read: {error.Message}", error);
        }
    }
}
