using System.Net.Security;

namespace Larder.Wire.Sockets;

/// <summary>The TLS settings of one connection.</summary>
internal static class ClientTls
{
    /// <summary>A copy of what the caller gave, whose own may serve other connections or other protocols. The name that is verified is the host's.</summary>
    public static SslClientAuthenticationOptions For(string host, SslClientAuthenticationOptions? given, params ReadOnlySpan<SslApplicationProtocol> protocols)
    {
        given ??= new SslClientAuthenticationOptions();
        return new SslClientAuthenticationOptions
        {
            ApplicationProtocols = protocols.IsEmpty ? null : [.. protocols],
            TargetHost = string.IsNullOrEmpty(given.TargetHost) ? host : given.TargetHost,
            AllowRenegotiation = false,
            AllowTlsResume = given.AllowTlsResume,
            CertificateChainPolicy = given.CertificateChainPolicy,
            CertificateRevocationCheckMode = given.CertificateRevocationCheckMode,
            CipherSuitesPolicy = given.CipherSuitesPolicy,
            ClientCertificateContext = given.ClientCertificateContext,
            ClientCertificates = given.ClientCertificates,
            EnabledSslProtocols = given.EnabledSslProtocols,
            EncryptionPolicy = given.EncryptionPolicy,
            LocalCertificateSelectionCallback = given.LocalCertificateSelectionCallback,
            RemoteCertificateValidationCallback = given.RemoteCertificateValidationCallback,
        };
    }
}
