namespace Larder.Harness.Servers;

/// <summary>What runs a program of .NET in other circumstances: see <see cref="ServerProcessOptions.Runner"/>.</summary>
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

    /// <summary>Its log goes to a full pipe that nobody reads.</summary>
    public static IReadOnlyList<string> WithFullLog { get; } = ["python3", "-c", FullPipe];

    /// <summary>It may open this many files, connections among them.</summary>
    public static IReadOnlyList<string> WithDescriptors(int count) => ["bash", "-c", "ulimit -n $0; exec dotnet \"$@\"", $"{count}"];
}
