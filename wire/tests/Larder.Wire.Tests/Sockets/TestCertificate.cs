using System.Net;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Larder.Wire.Tests.Sockets;

/// <summary>A self-signed certificate for 127.0.0.1.</summary>
internal static class TestCertificate
{
    /// <summary>Returns a callback that accepts only this certificate.</summary>
    public static RemoteCertificateValidationCallback IsIt(X509Certificate2 certificate)
    {
        string thumbprint = certificate.Thumbprint;
        return (_, shown, _, _) => shown?.GetCertHashString() == thumbprint;
    }

    public static X509Certificate2 Make()
    {
        using ECDsa key = ECDsa.Create();
        CertificateRequest request = new("CN=localhost", key, HashAlgorithmName.SHA256);
        SubjectAlternativeNameBuilder names = new();
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        request.CertificateExtensions.Add(
            new X509BasicConstraintsExtension(certificateAuthority: true, hasPathLengthConstraint: false, pathLengthConstraint: 0, critical: true));
        return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
    }
}
