using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text.RegularExpressions;

namespace Larder.Client;

/// <summary>Provides the current content of the TLS files. If a file has changed and is invalid, the previous content stays in use (AUTH-36).</summary>
internal sealed partial class TlsFiles
{
    private readonly TlsOptions _options;
    private readonly TimeProvider _time;
    private readonly Lock _lock = new();
    private Material _material;
    private string _seen;

    /// <summary>Reads and checks the files.</summary>
    /// <exception cref="ArgumentException">A file cannot be used. The message contains the name of the file.</exception>
    public TlsFiles(TlsOptions options, TimeProvider time)
    {
        _time = time;
        // Copy the list, because the caller may change it.
        _options = options with { AuthorityFiles = [.. options.AuthorityFiles] };
        if (_options.CertificateFile is null != _options.KeyFile is null)
        {
            throw new ArgumentException("CertificateFile and KeyFile must be set together.", nameof(options));
        }

        if (_options.KeyPassword is not null && _options.KeyFile is null)
        {
            throw new ArgumentException("KeyPassword requires KeyFile.", nameof(options));
        }

        if (_options.ServerName is { } name && !HostName.IsMatch(name))
        {
            throw new ArgumentException($"ServerName '{name}' is not a valid host name.", nameof(options));
        }

        _seen = State();
        _material = Read();
    }

    public string? ServerName => _options.ServerName;

    [GeneratedRegex(@"^[A-Za-z0-9_.:-]{1,253}\z")]
    private static partial Regex HostName { get; }

    /// <summary>Returns the certificates for a new connection. Reads the files again if they have changed.</summary>
    public Material Now()
    {
        lock (_lock)
        {
            string state = State();
            if (state != _seen)
            {
                try
                {
                    _material = Read();
                    _seen = state;
                }
                catch (ArgumentException)
                {
                    // A file may be only partly written at this moment. This connection uses the previous content, and the next connection reads the files
                    // again.
                }
            }

            return _material;
        }
    }

    // Returns a text that changes when a file changes. Links are followed, because a mounted secret is replaced by changing a link.
    private string State() => string.Join("; ", Paths().Select(StateOf));

    private static string StateOf(string path)
    {
        try
        {
            FileSystemInfo file = new FileInfo(path);
            file = file.ResolveLinkTarget(returnFinalTarget: true) ?? file;
            return file is FileInfo { Exists: true } there ? $"{there.FullName} {there.LastWriteTimeUtc.Ticks} {there.Length}" : "gone";
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return "gone";
        }
    }

    private IEnumerable<string> Paths() =>
        _options.AuthorityFiles.Append(_options.CertificateFile).Append(_options.KeyFile).Where(static path => path is not null).Select(static path => path!);

    private Material Read()
    {
        X509Certificate2Collection? authorities = null;
        foreach (string path in _options.AuthorityFiles)
        {
            authorities ??= [];
            authorities.AddRange(CertificatesOf(path, "The authority file"));
        }

        SslStreamCertificateContext? own = _options is { CertificateFile: { } certificate, KeyFile: { } key } ? OwnOf(certificate, key) : null;
        return new Material(authorities, own);
    }

    private SslStreamCertificateContext OwnOf(string certificateFile, string keyFile)
    {
        X509Certificate2Collection chain = CertificatesOf(certificateFile, "The client certificate file");
        X509Certificate2 bare = chain[0];
        DateTime now = _time.GetUtcNow().UtcDateTime;
        string key = KeyOf(keyFile);
        X509Certificate2 certificate;
        try
        {
            certificate = _options.KeyPassword is { } password
                ? X509Certificate2.CreateFromEncryptedPem(bare.ExportCertificatePem(), key, password)
                : X509Certificate2.CreateFromPem(bare.ExportCertificatePem(), key);
        }
        catch (ArgumentException)
        {
            throw new ArgumentException($"The key in '{keyFile}' does not match the certificate in '{certificateFile}'.");
        }
        catch (CryptographicException)
        {
            throw new ArgumentException(KeyErrorText(bare, certificateFile, key, keyFile));
        }

        if (certificate.NotAfter.ToUniversalTime() < now)
        {
            throw new ArgumentException($"The certificate in '{certificateFile}' expired on {certificate.NotAfter.ToUniversalTime():u}; renew it.");
        }

        if (certificate.NotBefore.ToUniversalTime() > now)
        {
            throw new ArgumentException(
                $"The certificate in '{certificateFile}' is not valid before {certificate.NotBefore.ToUniversalTime():u}; check the system clock.");
        }

        if (OperatingSystem.IsWindows())
        {
            // The TLS implementation of Windows does not accept a private key that exists only in memory.
            certificate = X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pfx), null);
        }

        chain.RemoveAt(0);
        return SslStreamCertificateContext.Create(certificate, chain, offline: true);
    }

    private static string KeyErrorText(X509Certificate2 certificate, string certificateFile, string key, string keyFile)
    {
        if (key.Contains("ENCRYPTED", StringComparison.Ordinal))
        {
            return $"KeyPassword does not decrypt the key file '{keyFile}'.";
        }

        // Reading the key also fails if its algorithm differs from the algorithm of the certificate, so the message names the certificate's algorithm.
        string wanted = certificate.GetKeyAlgorithm();
        string kind = new Oid(wanted).FriendlyName ?? wanted;
        return $"The key in '{keyFile}' is malformed, or its type differs from the certificate in '{certificateFile}' ({kind}).";
    }

    private static string Swapped(string found) => $" but {found}; check that CertificateFile and KeyFile are not swapped";

    private string KeyOf(string path)
    {
        string text = TextOf(path, "The key file");
        if (!text.Contains("PRIVATE KEY-----", StringComparison.Ordinal))
        {
            string hint = text.Contains("BEGIN CERTIFICATE", StringComparison.Ordinal) ? Swapped("a certificate") : "";
            throw new ArgumentException($"The key file '{path}' contains no private key (-----BEGIN PRIVATE KEY-----){hint}");
        }

        bool isEncrypted = text.Contains("ENCRYPTED", StringComparison.Ordinal);
        return isEncrypted && _options.KeyPassword is null ? throw new ArgumentException($"The key file '{path}' is encrypted; set KeyPassword.")
            : !isEncrypted && _options.KeyPassword is not null
                ? throw new ArgumentException($"The key file '{path}' is not encrypted, but KeyPassword is set; remove KeyPassword.")
            : text;
    }

    private static X509Certificate2Collection CertificatesOf(string path, string what)
    {
        string text = TextOf(path, what);
        X509Certificate2Collection found = [];
        try
        {
            found.ImportFromPem(text);
        }
        catch (CryptographicException)
        {
            throw new ArgumentException($"{what} '{path}' contains a malformed certificate.");
        }

        if (found.Count > 0)
        {
            return found;
        }

        string hint = text.Contains("PRIVATE KEY-----", StringComparison.Ordinal) ? Swapped("a private key") : "";
        throw new ArgumentException($"{what} '{path}' contains no certificate (-----BEGIN CERTIFICATE-----){hint}");
    }

    private static string TextOf(string path, string what)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ArgumentException($"{what} '{path}' cannot be read: {FileErrorText.Why(exception)}.");
        }
    }

    /// <summary>
    /// The content of the files: the trusted authorities (null means the system's authorities), and the client's certificate (null means no certificate).
    /// </summary>
    internal sealed record Material(X509Certificate2Collection? Authorities, SslStreamCertificateContext? Own);
}
