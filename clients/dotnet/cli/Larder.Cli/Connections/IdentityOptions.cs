using System.CommandLine;
using Larder.Client;

namespace Larder.Cli;

/// <summary>The TLS options for the client's certificate and the expected name of the server.</summary>
internal sealed class IdentityOptions
{
    public const string PasswordVariable = "LARDER_KEY_PASSWORD";

    private readonly Option<string?> _certificate = new("--cert")
    {
        Description = "PEM file with the client certificate, followed by its chain",
        HelpName = "file",
    };
    private readonly Option<string?> _key = new("--key")
    {
        Description = $"PEM file with the client's private key; if it is encrypted, set its password in {PasswordVariable}",
        HelpName = "file",
    };
    private readonly Option<string?> _serverName = new("--server-name")
    {
        Description = "Name to verify in the server's certificate instead of the host of the address",
        HelpName = "name",
    };

    public void AddTo(Command command)
    {
        command.Add(_certificate);
        command.Add(_key);
        command.Add(_serverName);
    }

    /// <summary>Returns the given options as text. The text distinguishes clients with different options. It is empty if no option is given.</summary>
    public string TextOf(ParseResult parsed) => Read(parsed)?.ToString() ?? "";

    /// <summary>Returns credentials with the given options.</summary>
    /// <exception cref="ArgumentException">A file cannot be used, or the server does not use TLS.</exception>
    public CredentialProvider Apply(ParseResult parsed, CredentialProvider credentials) =>
        Read(parsed) is { } options ? credentials.WithTls(options) : credentials;

    private TlsOptions? Read(ParseResult parsed)
    {
        (string? certificate, string? key, string? name) = (parsed.GetValue(_certificate), parsed.GetValue(_key), parsed.GetValue(_serverName));
        if (certificate is null && key is null && name is null)
        {
            return null;
        }

        if (certificate is null != key is null)
        {
            throw new ArgumentException("--cert and --key must be passed together.");
        }

        string? password = Environment.GetEnvironmentVariable(PasswordVariable);
        bool isEncrypted = key is not null && File.Exists(key) && File.ReadAllText(key).Contains("ENCRYPTED", StringComparison.Ordinal);
        return isEncrypted && string.IsNullOrEmpty(password)
            ? throw new ArgumentException($"--key: '{key}' is encrypted; set its password in {PasswordVariable}.")
            : new TlsOptions { CertificateFile = certificate, KeyFile = key, KeyPassword = isEncrypted ? password : null, ServerName = name };
    }
}
