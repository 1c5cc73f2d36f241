using System.Net.Security;

namespace Larder.Server.Security;

/// <summary>
/// The tokens and the certificate that were given as files: read at the start, and again by <see cref="Reload"/>, whole or not at all. What was given otherwise
/// stays as it is.
/// </summary>
internal sealed class SecretFiles
{
    /// <summary>The option of the file of tokens.</summary>
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

    /// <summary>Who may do what, where there is a file of tokens; null: <see cref="Gate"/> alone is asked.</summary>
    public AccessControl? Access { get; }

    /// <summary>Who may call.</summary>
    public TokenGate Gate { get; }

    /// <summary>Who may read the console.</summary>
    public TokenGate ConsoleGate { get; }

    /// <summary>Who may see keys and values on the console's page, and act.</summary>
    public TokenGate AdminGate { get; }

    /// <summary>What the next handshake shows and asks for; null where the server has no certificate.</summary>
    public SslServerAuthenticationOptions? Tls => Volatile.Read(ref _tls);

    /// <summary>Whether a file of certificates or keys is another than was read, and was the same when this was asked before. Asked by one thread.</summary>
    public bool HasTlsChanged => _tlsFiles.Aggregate(false, static (changed, each) => each.HasChanged() || changed);

    /// <summary>Reads each file again; one that cannot be read leaves what it said before.</summary>
    /// <returns>Each file's option, and why it could not be read; null where it was.</returns>
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

    /// <summary>Reads the file of tokens again; where it cannot be read, what it said before goes on.</summary>
    /// <returns>As <see cref="Reload"/>; nothing where there is no such file.</returns>
    public IReadOnlyList<(string Option, string? Fault)> ReloadTokens() => Read(TokensOption, _options.TokensPath, _ => Access!.Reload());

    /// <summary>Reads certificate, key and clients' authorities again, for handshakes from now on; where one cannot be read, all are as before.</summary>
    /// <returns>As <see cref="Reload"/>; nothing where there is no certificate.</returns>
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
