namespace Larder.Client;

/// <summary>Files for TLS, all PEM (<see cref="CredentialProvider.WithTls"/>). They are read again for a new connection once they have changed.</summary>
public sealed record TlsOptions
{
    /// <summary>The authorities to trust instead of the system's. Default none: the system's.</summary>
    public IReadOnlyList<string> AuthorityFiles { get; init; } = [];

    /// <summary>
    /// The client's certificate, and after it those of the authorities between it and what the server trusts. With <see cref="KeyFile"/>. Default null: none
    /// is shown.
    /// </summary>
    public string? CertificateFile { get; init; }

    /// <summary>The certificate's private key.</summary>
    public string? KeyFile { get; init; }

    /// <summary>What the key is encrypted with; null: it is not.</summary>
    public string? KeyPassword { get; init; }

    /// <summary>The name to ask for (SNI), and to find in the server's certificate. Default null: the address's host.</summary>
    public string? ServerName { get; init; }

    /// <summary>The options, without the password.</summary>
    public override string ToString() =>
        $"TlsOptions {{ AuthorityFiles = [{string.Join(", ", AuthorityFiles)}], CertificateFile = {CertificateFile}, "
        + $"KeyFile = {KeyFile}, ServerName = {ServerName} }}";
}
