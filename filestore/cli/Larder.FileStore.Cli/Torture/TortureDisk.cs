using System.Diagnostics;

namespace Larder.FileStore.Cli.Torture;

/// <summary>The folder that the torture run happens in: a small file system of its own where the user may mount one, else a plain folder.</summary>
internal sealed class TortureDisk : IDisposable
{
    private const int MostReleases = 3;

    private int _current;
    private readonly string _root = Directory.CreateTempSubdirectory("larder-torture-").FullName;

    internal TortureDisk(int megabytes)
    {
        IsOwn = OperatingSystem.IsLinux() && Environment.UserName == "root" && Run("mount", "-t", "tmpfs", "-o", $"size={megabytes}m", "tmpfs", _root);
        Switch(0);
    }

    /// <summary>Whether it can be filled without harm to others.</summary>
    internal bool IsOwn { get; }

    /// <summary>A symbolic link to one of the folders, as deployments have one.</summary>
    internal string Folder => Path.Combine(_root, "cache");

    /// <summary>Switches the link to another folder, new or used before; in one step, as deployments do.</summary>
    internal void SwitchFolder(Random random) => Switch((_current + random.Next(1, MostReleases)) % MostReleases);

    /// <summary>Moves the folder away and another one to its name.</summary>
    internal void ReplaceFolder()
    {
        string folder = Release(_current);
        Directory.CreateDirectory(folder + ".next");
        Directory.Move(folder, folder + ".away");
        Directory.Move(folder + ".next", folder);
        Directory.Delete(folder + ".away", recursive: true);
    }

    /// <summary>Copies the files as they are to a backup.</summary>
    internal void Backup()
    {
        Directory.CreateDirectory(BackupFolder);
        foreach (string old in Directory.GetFiles(BackupFolder))
        {
            File.Delete(old);
        }
        Run("sh", "-c", "cp \"$0\"/*.jsonl \"$0\"/*.idx \"$1\"", Folder, BackupFolder);
    }

    /// <summary>Copies the backup over the files in use: cp truncates each of them and writes it anew.</summary>
    internal void Restore() => Run("sh", "-c", "cp \"$0\"/* \"$1\"", BackupFolder, Folder);

    private string BackupFolder => Path.Combine(_root, "backup");

    private string Filler => Path.Combine(_root, "filler");

    /// <summary>Takes all the room there is.</summary>
    internal void Fill()
    {
        using FileStream filler = new(Filler, FileMode.Create, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0);
        byte[] page = new byte[4096];
        try
        {
            while (true)
            {
                filler.Write(page);
            }
        }
        catch (IOException)
        {
            // Full, which is what is wanted.
        }
    }

    internal void Empty() => File.Delete(Filler);

    public void Dispose()
    {
        if (IsOwn)
        {
            Run("umount", "-l", _root);
        }
        Directory.Delete(_root, recursive: true);
    }

    private string Release(int number) => Path.Combine(_root, string.Create(System.Globalization.CultureInfo.InvariantCulture, $"r{number}"));

    private void Switch(int release)
    {
        string next = Folder + ".next";
        Directory.CreateDirectory(Release(release));
        Directory.CreateSymbolicLink(next, Path.GetFileName(Release(release)));
        if (!Run("mv", "-T", next, Folder))
        {
            throw new IOException($"The link {Folder} could not be switched.");
        }
        _current = release;
    }

    private static bool Run(string command, params string[] arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(command, arguments) { RedirectStandardError = true })!;
        process.StandardError.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0;
    }
}
