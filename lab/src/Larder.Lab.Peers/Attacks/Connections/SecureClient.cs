using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Larder.Agent;
using Larder.Client;

namespace Larder.Lab.Peers.Attacks;

/// <summary>The TLS settings of a client.</summary>
/// <param name="AuthorityFile">The file of the certificate authority that the client trusts.</param>
/// <param name="CertificateFile">The file of the client certificate; null for none.</param>
/// <param name="KeyFile">The file of the certificate's private key; null for none.</param>
internal sealed record SecureClient(string AuthorityFile, string? CertificateFile, string? KeyFile)
{
    /// <summary>Parses an <c>open</c> request; returns null for plaintext.</summary>
    public static SecureClient? From(JsonElement request) =>
        request.Text("caFile") is { } authority ? new(authority, request.Text("certificateFile"), request.Text("keyFile")) : null;

    /// <summary>Returns the options of Larder's client.</summary>
    public TlsOptions Options() => new() { AuthorityFiles = [AuthorityFile], CertificateFile = CertificateFile, KeyFile = KeyFile };

    /// <summary>Returns the options of a channel to <c>localhost</c>.</summary>
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
