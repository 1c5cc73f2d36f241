using System.Diagnostics;

namespace Larder.FileStore.Cli.Torture;

/// <summary>The folder that the torture run happens in: a small file system of its own where the user may mount one, else a plain folder.</summary>
internal sealed class TortureDisk : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("larder-torture-").FullName;

    internal TortureDisk(int megabytes)
    {
        IsOwn = OperatingSystem.IsLinux() && Environment.UserName == "root" && Run("mount", "-t", "tmpfs", "-o", $"size={megabytes}m", "tmpfs", _root);
        Directory.CreateDirectory(Folder);
    }

    /// <summary>Whether it can be filled without harm to others.</summary>
    internal bool IsOwn { get; }

    internal string Folder => Path.Combine(_root, "cache");

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

    private static bool Run(string command, params string[] arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(command, arguments) { RedirectStandardError = true })!;
        process.StandardError.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0;
    }
}
