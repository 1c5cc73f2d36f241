using System.Diagnostics;

namespace Larder.FileStore.Cli.Torture;

/// <summary>The folder of the torture run: a separate small file system if the user may mount one, otherwise a plain folder.</summary>
internal sealed class TortureDisk : IDisposable
{
    private const int MaxReleases = 3;

    private int _current;
    private readonly string _root = Directory.CreateTempSubdirectory("larder-torture-").FullName;

    internal TortureDisk(int megabytes)
    {
        IsOwn = OperatingSystem.IsLinux() && Environment.UserName == "root" && Run("mount", "-t", "tmpfs", "-o", $"size={megabytes}m", "tmpfs", _root);
        Switch(0);
    }

    /// <summary>Whether the folder is a separate file system, so that filling it does not affect other programs.</summary>
    internal bool IsOwn { get; }

    /// <summary>The path of the cache folder: a symbolic link to one of several release folders, as in many deployments.</summary>
    internal string Folder => Path.Combine(_root, "cache");

    /// <summary>Switches the link atomically to another release folder, which is either new or was used before.</summary>
    internal void SwitchFolder(Random random) => Switch((_current + random.Next(1, MaxReleases)) % MaxReleases);

    /// <summary>Replaces the folder with an empty one of the same name.</summary>
    internal void ReplaceFolder()
    {
        string folder = Release(_current);
        Directory.CreateDirectory(folder + ".next");
        Directory.Move(folder, folder + ".away");
        Directory.Move(folder + ".next", folder);
        Directory.Delete(folder + ".away", recursive: true);
    }

    /// <summary>Copies the cache file and the sidecar to the backup folder while they are in use.</summary>
    internal void Backup()
    {
        Directory.CreateDirectory(BackupFolder);
        foreach (string old in Directory.GetFiles(BackupFolder))
        {
            File.Delete(old);
        }
        Run("sh", "-c", "cp \"$0\"/*.jsonl \"$0\"/*.idx \"$1\"", Folder, BackupFolder);
    }

    /// <summary>Copies the backup over the files in use with cp, which truncates each file and writes the new content in place.</summary>
    internal void Restore() => Run("sh", "-c", "cp \"$0\"/* \"$1\"", BackupFolder, Folder);

    private string BackupFolder => Path.Combine(_root, "backup");

    private string Filler => Path.Combine(_root, "filler");

    /// <summary>Fills the disk with a filler file.</summary>
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
            // The write fails when the disk is full, as intended.
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
            throw new IOException($"Cannot switch the symbolic link {Folder}: mv -T failed.");
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
