namespace Larder.Client;

/// <summary>PEM files for TLS (<see cref="CredentialProvider.WithTls"/>). If they have changed, they are read again for the next connection.</summary>
public sealed record TlsOptions
{
    /// <summary>Gets the files of authorities to trust instead of the system's. The default is none: the system's.</summary>
    public IReadOnlyList<string> AuthorityFiles { get; init; } = [];

    /// <summary>
    /// Gets the file of the client's certificate, followed by the intermediate certificates up to an authority that the server trusts. Requires
    /// <see cref="KeyFile"/>. The default is null: no certificate is sent.
    /// </summary>
    public string? CertificateFile { get; init; }

    /// <summary>Gets the file of the certificate's private key. The default is null.</summary>
    public string? KeyFile { get; init; }

    /// <summary>Gets the password of the key. The default is null: the key is not encrypted.</summary>
    public string? KeyPassword { get; init; }

    /// <summary>Gets the name to request (SNI) and to expect in the server's certificate. The default is null: the address's host.</summary>
    public string? ServerName { get; init; }

    /// <summary>Returns the options, without the password.</summary>
    public override string ToString() =>
        $"TlsOptions {{ AuthorityFiles = [{string.Join(", ", AuthorityFiles)}], CertificateFile = {CertificateFile}, "
        + $"KeyFile = {KeyFile}, ServerName = {ServerName} }}";
}
