using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Larder.Server.Configuration;
using Larder.Server.Fleet;
using Larder.Server.Security;

namespace Larder.Server.Doctor;

/// <summary>Checks the files of the server: tokens, keys, certificates and the snapshot.</summary>
internal static class FileChecks
{
    private static readonly TimeSpan RenewBefore = TimeSpan.FromDays(30);

    public static IEnumerable<Finding> Run(ServerOptions options, DateTimeOffset now)
    {
        (string Option, string? Path)[] secrets =
        [
            ("--token-file", options.TokenPath), ("--tokens", options.TokensPath), ("--token-key", options.TokenKeyPath), ("--tls-key", options.TlsKeyPath),
            ("--console-token-file", options.ConsoleTokenPath), ("--console-admin-token-file", options.ConsoleAdminTokenPath),
            ("--store-password-file", options.StorePasswordPath), ("--store-key", options.StoreKeyPath),
        ];
        string? unreadable = Unreadable(options);
        List<Finding> findings = unreadable is null ? [] : [Finding.Error("files", unreadable, "correct the file, or its path")];
        foreach ((string option, string? path) in secrets)
        {
            if (path is not null && File.Exists(path))
            {
                findings.Add(Permissions(option, path));
            }
        }

        (string Option, string? Path)[] certificates =
        [
            ("--tls-cert", options.TlsCertificatePath), ("--client-ca", options.ClientAuthorityPath), ("--store-ca", options.StoreAuthorityPath),
            ("--store-cert", options.StoreCertificatePath),
        ];
        foreach ((string option, string? path) in certificates)
        {
            findings.AddRange(path is null ? [] : Certificates(option, path, option == "--tls-cert" ? options.Advertised : null, now));
        }

        if (options.SnapshotPath is { } snapshot)
        {
            findings.Add(Snapshot(snapshot, options.MemoryBytes));
        }

        return findings;
    }

    private static string? Unreadable(ServerOptions options)
    {
        try
        {
            _ = new SecretFiles(options);
            _ = options.IsGateway ? StoreConnection.Read(options) : null;
            return null;
        }
        catch (ServerOptionsException error)
        {
            return error.Message;
        }
    }

    // The token table contains only digests, so others may read it, but not change it.
    private static Finding Permissions(string option, string path)
    {
        string subject = option.TrimStart('-');
        if (OperatingSystem.IsWindows())
        {
            return Finding.Skipped(subject, "permissions are not checked on Windows");
        }

        UnixFileMode mode = File.GetUnixFileMode(PrivateFile.TargetOf(path));
        return mode.HasFlag(UnixFileMode.OtherWrite)
            ? Finding.Error(subject, $"other users can change {path}, and can thereby give themselves access", $"run 'chmod go-w {path}'")
            : mode.HasFlag(UnixFileMode.GroupWrite)
                ? Finding.Warning(subject, $"all members of the file's group can change {path}", $"run 'chmod g-w {path}'")
            : mode.HasFlag(UnixFileMode.OtherRead) && option != "--tokens"
                ? Finding.Warning(subject, $"every user of this machine can read {path}", $"run 'chmod o-rwx {path}'")
                : Finding.Ok(subject, $"{path} is protected from other users");
    }

    private static IEnumerable<Finding> Certificates(string option, string path, string? advertised, DateTimeOffset now)
    {
        string subject = option.TrimStart('-');
        X509Certificate2Collection all = [];
        try
        {
            all.ImportFromPemFile(path);
        }
        catch (Exception error) when (error is CryptographicException or IOException or UnauthorizedAccessException)
        {
            // SecretFiles reports the reason.
            yield break;
        }

        foreach (X509Certificate2 certificate in all)
        {
            string name = certificate.GetNameInfo(X509NameType.SimpleName, false);
            DateTimeOffset from = certificate.NotBefore.ToUniversalTime(), until = certificate.NotAfter.ToUniversalTime();
            string renew = option.StartsWith("--store", StringComparison.Ordinal)
                ? $"replace {path}, and restart the server"
                : $"replace {path}; a running server reads it again by itself";
            yield return until <= now ? Finding.Error(subject, $"the certificate of {name} expired on {until:yyyy-MM-dd}", renew)
                : from > now ? Finding.Error(subject, $"the certificate of {name} is valid only from {from:yyyy-MM-dd HH:mm} UTC", "check the clock, or wait")
                : until - now < RenewBefore
                    ? Finding.Warning(subject, $"the certificate of {name} expires on {until:yyyy-MM-dd}, in {(until - now).Days} days", renew)
                    : Finding.Ok(subject, $"the certificate of {name} is valid until {until:yyyy-MM-dd}");
        }

        if (advertised is not null && all is [X509Certificate2 own, ..] && new Uri($"larder://{advertised}").Host is { } host
            && !own.MatchesHostname(host.Trim('[', ']')))
        {
            yield return Finding.Error(
                subject,
                $"the certificate is not valid for {host}, the address of --advertise",
                $"request a certificate whose subjectAltName contains {host}");
        }
    }

    private static Finding Snapshot(string path, long memoryBytes)
    {
        const string Subject = "snapshot";
        if (Directory.Exists(path))
        {
            return Finding.Error(Subject, $"{path} is a folder", "pass the path of a file");
        }

        string folder = Path.GetDirectoryName(Path.GetFullPath(path))!;
        try
        {
            string probe = Path.Combine(folder, $".larder-doctor-{Guid.NewGuid():N}");
            using (new FileStream(probe, FileMode.CreateNew, FileAccess.Write, FileShare.None, 1, FileOptions.DeleteOnClose))
            {
            }

            long free = new DriveInfo(folder).AvailableFreeSpace;
            return free >= memoryBytes
                ? Finding.Ok(Subject, $"{folder} is writable and has {ByteSize.Format(free)} free")
                : Finding.Warning(
                    Subject,
                    $"{folder} has {ByteSize.Format(free)} free, but a snapshot may need {ByteSize.Format(memoryBytes)}",
                    "free disk space, or pass a --snapshot on another disk");
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return Finding.Error(Subject, $"cannot write in {folder}: {error.Message}", "create the folder, or give the server's user access to it");
        }
    }
}
