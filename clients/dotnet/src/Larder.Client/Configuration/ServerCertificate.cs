using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;

namespace Larder.Client;

/// <summary>Checks a server's certificate, and describes the reason if it is rejected. Accepts exactly the certificates that .NET accepts.</summary>
internal static class ServerCertificate
{
    /// <exception cref="AuthenticationException">The certificate is rejected. The message contains the reason.</exception>
    public static bool Check(string name, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors) =>
        errors == SslPolicyErrors.None ? true : throw new AuthenticationException(Why(name, certificate, chain, errors));

    private static string Why(string name, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        if (errors.HasFlag(SslPolicyErrors.RemoteCertificateNotAvailable) || certificate is null)
        {
            return "the server sent no certificate";
        }

        X509ChainStatusFlags status = X509ChainStatusFlags.NoError;
        foreach (X509ChainStatus each in chain?.ChainStatus ?? [])
        {
            status |= each.Status;
        }

        List<string> reasons = [];
        if (status.HasFlag(X509ChainStatusFlags.NotTimeValid))
        {
            string times = $"from {certificate.GetEffectiveDateString()} to {certificate.GetExpirationDateString()}";
            reasons.Add($"the server's certificate has expired or is not yet valid: it is valid {times}");
        }

        // NotSignatureValid means that the certificate was signed by a different authority with the same name.
        if ((status & (X509ChainStatusFlags.UntrustedRoot | X509ChainStatusFlags.PartialChain | X509ChainStatusFlags.NotSignatureValid)) != 0)
        {
            reasons.Add("the server's certificate was issued by an untrusted authority");
        }

        if (errors.HasFlag(SslPolicyErrors.RemoteCertificateNameMismatch))
        {
            reasons.Add($"the server's certificate does not match the name '{name}' (its subject is {certificate.Subject})");
        }

        if (status != X509ChainStatusFlags.NoError || reasons.Count == 0)
        {
            reasons.Add($"{errors}, {status}");
        }

        return string.Join("; ", reasons);
    }
}
