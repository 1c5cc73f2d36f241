namespace Larder.Client;

/// <summary>PEM files for TLS (<see cref="CredentialProvider.WithTls"/>). If the files change, they are read again for the next connection.</summary>
public sealed record TlsOptions
{
    /// <summary>
    /// Gets the files with the certificate authorities to trust instead of the system's authorities. The default is empty: the system's authorities are
    /// trusted.
    /// </summary>
    public IReadOnlyList<string> AuthorityFiles { get; init; } = [];

    /// <summary>
    /// Gets the file with the client's certificate, followed by the intermediate certificates up to an authority that the server trusts. Requires
    /// <see cref="KeyFile"/>. The default is null: no certificate is sent.
    /// </summary>
    public string? CertificateFile { get; init; }

    /// <summary>
    /// Gets the file with the private key of the client's certificate. Required with <see cref="CertificateFile"/>. The default is null: no client certificate.
    /// </summary>
    public string? KeyFile { get; init; }

    /// <summary>Gets the password of the private key. The default is null, for a key that is not encrypted.</summary>
    public string? KeyPassword { get; init; }

    /// <summary>
    /// Gets the host name that the client sends in the TLS handshake (SNI) and requires in the server's certificate. The default is null: the host of the
    /// server's address.
    /// </summary>
    public string? ServerName { get; init; }

    /// <summary>Returns the options, without the password.</summary>
    public override string ToString() =>
        $"TlsOptions {{ AuthorityFiles = [{string.Join(", ", AuthorityFiles)}], CertificateFile = {CertificateFile}, "
        + $"KeyFile = {KeyFile}, ServerName = {ServerName} }}";
}
