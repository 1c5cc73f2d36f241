using Larder.Harness.Processes;

namespace Larder.FileStore.Tests.Support;

/// <summary>A mounted file system of 1 MB.</summary>
internal sealed class SmallDisk : IDisposable
{
    internal SmallDisk(string path)
    {
        Path = path;
        Directory.CreateDirectory(path);
        Assert.True(Run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", path));
    }

    internal string Path { get; }

    internal static bool CanMount
    {
        get
        {
            string path = Directory.CreateTempSubdirectory("larder-mount-").FullName;
            bool can = OperatingSystem.IsLinux() && Environment.UserName == "root" && Run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", path);
            if (can)
            {
                Run("umount", path);
            }
            Directory.Delete(path);
            return can;
        }
    }

    internal void Grow() => Assert.True(Run("mount", "-o", "remount,size=4m", Path));

    public void Dispose() => Run("umount", "-l", Path);

    private static bool Run(string command, params string[] arguments) => ProgramRun.Of(new ProgramCommand(command, command, arguments)).ExitCode == 0;
}

/// <summary>A test that mounts a small file system. The test is skipped with the reason if mounting is not permitted.</summary>
internal sealed class TmpfsFactAttribute : FactAttribute
{
    private static readonly bool CanMount = SmallDisk.CanMount;

    public TmpfsFactAttribute() => Skip = CanMount ? null : "Cannot inject: a small file system cannot be mounted here (needs root on Linux).";
}
