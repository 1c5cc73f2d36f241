using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Larder.Agent;
using Larder.Client;

namespace Larder.Lab.Peers.Attacks;

/// <summary>How a client connects over TLS.</summary>
/// <param name="AuthorityFile">The authority that it trusts.</param>
/// <param name="CertificateFile">Its own certificate; null: none.</param>
/// <param name="KeyFile">The certificate's key; null: none.</param>
internal sealed record SecureClient(string AuthorityFile, string? CertificateFile, string? KeyFile)
{
    /// <summary>Reads an <c>open</c> request; null for plaintext.</summary>
    public static SecureClient? From(JsonElement request) =>
        request.Text("caFile") is { } authority ? new(authority, request.Text("certificateFile"), request.Text("keyFile")) : null;

    /// <summary>The options of Larder's client.</summary>
    public TlsOptions Options() => new() { AuthorityFiles = [AuthorityFile], CertificateFile = CertificateFile, KeyFile = KeyFile };

    /// <summary>The options of a channel to <c>localhost</c>.</summary>
    public SslClientAuthenticationOptions SslOptions()
    {
        var options = new SslClientAuthenticationOptions
        {
            TargetHost = "localhost",
            ApplicationProtocols = [SslApplicationProtocol.Http2],
            CertificateChainPolicy = new X509ChainPolicy
            {
                TrustMode = X509ChainTrustMode.CustomRootTrust,
                RevocationMode = X509RevocationMode.NoCheck,
            },
        };
        options.CertificateChainPolicy.CustomTrustStore.ImportFromPemFile(AuthorityFile);
        if (CertificateFile is not null)
        {
            options.ClientCertificates = [X509Certificate2.CreateFromPemFile(CertificateFile, KeyFile)];
        }

        return options;
    }
}
