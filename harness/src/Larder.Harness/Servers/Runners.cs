namespace Larder.Harness.Servers;

/// <summary>Commands that run a .NET program under special conditions. They are used as <see cref="ServerProcessOptions.Runner"/>.</summary>
public static class Runners
{
    private const string FullPipe =
        """
        import os, sys
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        try:
            while True:
                os.write(writer, b"x")
        except BlockingIOError:
            os.set_blocking(writer, True)
        os.dup2(writer, 2)
        os.set_inheritable(reader, True)
        os.execvp("dotnet", ["dotnet", *sys.argv[1:]])
        """;

    /// <summary>Gets a runner that connects the program's stderr to a full pipe that nothing reads.</summary>
    public static IReadOnlyList<string> WithFullLog { get; } = ["python3", "-c", FullPipe];

    /// <summary>Returns a runner that limits the number of open files, including connections.</summary>
    public static IReadOnlyList<string> WithDescriptors(int count) => ["bash", "-c", "ulimit -n $0; exec dotnet \"$@\"", $"{count}"];
}
