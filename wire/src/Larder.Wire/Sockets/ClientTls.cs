using System.Net.Security;

namespace Larder.Wire.Sockets;

/// <summary>Creates the TLS settings of a client's connection.</summary>
internal static class ClientTls
{
    /// <summary>
    /// Returns a copy of the caller's options, because the caller may use them for other connections or protocols. If the options contain no host name to
    /// verify, the copy contains <paramref name="host"/>.
    /// </summary>
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
