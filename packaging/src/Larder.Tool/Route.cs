namespace Larder.Tool;

/// <summary>The program of the package that runs a command. The commands are the same as those of <c>./larder</c> in the repository.</summary>
/// <param name="Kind">How the command is handled.</param>
/// <param name="Program">The name of the assembly if <paramref name="Kind"/> is <see cref="RouteKind.Program"/>; otherwise empty.</param>
/// <param name="Arguments">The arguments for that program.</param>
/// <param name="Refusal">The reason if the command is refused; otherwise empty.</param>
internal sealed record Route(RouteKind Kind, string Program, IReadOnlyList<string> Arguments, string Refusal)
{
    /// <summary>The program that runs <c>serve</c>, <c>doctor</c> and <c>token</c>.</summary>
    public const string Server = "larder-server";

    /// <summary>The program that runs <c>tune</c>, <c>bench</c> and <c>quickstart</c>.</summary>
    public const string Tuner = "Larder.Tuner";

    /// <summary>The program that runs <c>file</c>.</summary>
    public const string FileCache = "Larder.FileStore.Cli";

    // `bench --store redis-cluster` would start a fleet, which is not in the package.
    /// <summary>Returns the route of a command line.</summary>
    public static Route Of(IReadOnlyList<string> arguments)
    {
        string[] rest = [.. arguments.Skip(1)];
        return arguments is [] ? new Route(RouteKind.Help, "", [], "") : arguments[0] switch
        {
            "help" when rest is ["serve" or "doctor" or "token" or "file" or "bench" or "tune" or "quickstart", ..] => Of([.. rest, "--help"]),
            "help" when rest is [_, ..] => new Route(RouteKind.Here, "", arguments, ""),
            "help" or "-h" or "-?" or "--help" => new Route(RouteKind.Help, "", [], ""),
            "version" or "--version" => new Route(RouteKind.Version, "", [], ""),
            "serve" => To(Server, rest),
            "doctor" or "token" => To(Server, arguments),
            "file" => To(FileCache, rest),
            "bench" when rest is ["--store", ..] and not ["--store", "memory", ..] => Refuse("bench --store"),
            "bench" or "tune" or "quickstart" => To(Tuner, arguments),
            "fleet" or "lab" or "pack" or "docs" or "test" or "check" or "fmt" => Refuse(arguments[0]),
            _ => new Route(RouteKind.Here, "", arguments, ""),
        };
    }

    private static Route To(string program, IReadOnlyList<string> arguments) => new(RouteKind.Program, program, arguments, "");

    private static Route Refuse(string what) =>
        new(
            RouteKind.Refused,
            "",
            [],
            $"larder: '{what}' needs a checkout of Larder; run ./larder {what} there. 'larder help' lists the commands of this package.");
}
