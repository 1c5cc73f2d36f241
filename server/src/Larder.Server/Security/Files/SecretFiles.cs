using System.Net.Security;

namespace Larder.Server.Security;

/// <summary>
/// The tokens and certificates that are configured as files. They are loaded at startup, and again by <see cref="Reload"/>. The content of a file is replaced
/// completely or not at all. Tokens that are not configured as files do not change.
/// </summary>
internal sealed class SecretFiles
{
    /// <summary>The command-line option that sets the path of the token file.</summary>
    public const string TokensOption = "--tokens";

    private readonly ServerOptions _options;
    private readonly FileWatch[] _tlsFiles;
    private SslServerAuthenticationOptions? _tls;

    /// <exception cref="ServerOptionsException">A file cannot be read.</exception>
    public SecretFiles(ServerOptions options)
    {
        _options = options;
        Gate = new TokenGate(options.TokenPath is { } path ? TokenFile.Read("--token-file", path) : options.Token, options.TimeProvider);
        ConsoleGate = new TokenGate(
            options.ConsoleTokenPath is { } console ? TokenFile.Read("--console-token-file", console) : options.ConsoleToken,
            options.TimeProvider);
        AdminGate = new TokenGate(
            options.ConsoleAdminTokenPath is { } admin ? TokenFile.Read("--console-admin-token-file", admin) : options.ConsoleAdminToken,
            options.TimeProvider);
        Access = options.TokensPath is { } tokens ? new AccessControl(TokensOption, tokens, options.TimeProvider, options.TokenKeyPath) : null;
        string?[] tlsPaths = [options.TlsCertificatePath, options.TlsKeyPath, options.ClientAuthorityPath];
        _tlsFiles = [.. tlsPaths.OfType<string>().Select(static path => new FileWatch(path))];
        _tls = ServerCertificate.Load(options);
    }

    /// <summary>Gets the access control of the token file; null if no token file is configured. In that case only <see cref="Gate"/> is checked.</summary>
    public AccessControl? Access { get; }

    /// <summary>Gets the token check for data calls.</summary>
    public TokenGate Gate { get; }

    /// <summary>Gets the token check for read access to the console.</summary>
    public TokenGate ConsoleGate { get; }

    /// <summary>Gets the token check for administrators of the console, who may see keys and values and perform actions.</summary>
    public TokenGate AdminGate { get; }

    /// <summary>Gets the TLS options for new handshakes; null if no certificate is configured.</summary>
    public SslServerAuthenticationOptions? Tls => Volatile.Read(ref _tls);

    /// <summary>
    /// Gets whether a certificate or key file differs from the loaded file and has not changed since the previous check. Must be called by one thread only.
    /// </summary>
    public bool HasTlsChanged => _tlsFiles.Aggregate(false, static (changed, each) => each.HasChanged() || changed);

    /// <summary>Reloads all files. If a file cannot be read, its previous content remains in use.</summary>
    /// <returns>
    /// One element per file: its command-line option and the error. The error is null if the file was reloaded. All TLS files share one element.
    /// </returns>
    public IReadOnlyList<(string Option, string? Fault)> Reload()
    {
        List<(string, string?)> files = [.. ReloadTokens()];
        Try("--token-file", _options.TokenPath, path => Gate.Replace(TokenFile.Read("--token-file", path)));
        Try("--console-token-file", _options.ConsoleTokenPath, path => ConsoleGate.Replace(TokenFile.Read("--console-token-file", path)));
        Try(
            "--console-admin-token-file",
            _options.ConsoleAdminTokenPath,
            path => AdminGate.Replace(TokenFile.Read("--console-admin-token-file", path)));
        files.AddRange(ReloadTls());
        return files;

        void Try(string option, string? path, Action<string> read) => files.AddRange(Read(option, path, read));
    }

    /// <summary>Reloads the token file. If the file cannot be read, its previous content remains in use.</summary>
    /// <returns>The result for the token file, as in <see cref="Reload"/>. The list is empty if no token file is configured.</returns>
    public IReadOnlyList<(string Option, string? Fault)> ReloadTokens() => Read(TokensOption, _options.TokensPath, _ => Access!.Reload());

    /// <summary>
    /// Reloads the certificate, the key and the client authorities for new handshakes. If one of these files cannot be read, the previous content of all of
    /// them remains in use.
    /// </summary>
    /// <returns>The result for the TLS files, as in <see cref="Reload"/>. The list is empty if no certificate is configured.</returns>
    public IReadOnlyList<(string Option, string? Fault)> ReloadTls() => Read("--tls-cert", _options.TlsCertificatePath, _ =>
    {
        foreach (FileWatch each in _tlsFiles)
        {
            each.Note();
        }

        Volatile.Write(ref _tls, ServerCertificate.Load(_options));
    });

    private static (string Option, string? Fault)[] Read(string option, string? path, Action<string> read)
    {
        if (path is null)
        {
            return [];
        }

        try
        {
            read(path);
            return [(option, null)];
        }
        catch (ServerOptionsException error)
        {
            return [(option, error.Message)];
        }
    }
}
