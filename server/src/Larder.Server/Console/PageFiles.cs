using System.Collections.Frozen;
using System.Reflection;
using Microsoft.AspNetCore.Http;

namespace Larder.Server.Console;

/// <summary>
/// Serves the static files of the console's page, which are embedded in this assembly. The page itself has the path <c>/</c>; the other files are under
/// <c>/page/</c>. The files contain no secrets, so they require no token. The page requests its data from <see cref="Api.ConsoleApi"/>.
/// </summary>
internal static class PageFiles
{
    /// <summary>The content security policy: the page may load only its own files and may not be embedded.</summary>
    public const string Policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

    private const string Folder = "/page/";

    // The prefix of the names that the embedded files have in the project file.
    private const string ResourcePrefix = "console-page/";

    private static readonly FrozenDictionary<string, (byte[] Bytes, string Type)> s_files = Load();

    /// <summary>Returns whether a path is the path of the page or of one of its files.</summary>
    public static bool Is(string path) => path == "/" || path.StartsWith(Folder, StringComparison.Ordinal);

    /// <summary>Handles a request for one of the files.</summary>
    public static Task AnswerAsync(HttpContext context, string path)
    {
        HttpResponse response = context.Response;
        if (!HttpMethods.IsGet(context.Request.Method) && !HttpMethods.IsHead(context.Request.Method))
        {
            return ConsoleHost.RefuseAsync(response, StatusCodes.Status405MethodNotAllowed, "method not allowed; use GET\n");
        }

        if (!s_files.TryGetValue(path == "/" ? "index.html" : path[Folder.Length..], out (byte[] Bytes, string Type) file))
        {
            return ConsoleHost.RefuseAsync(response, StatusCodes.Status404NotFound, "file not found\n");
        }

        response.ContentType = file.Type;
        response.ContentLength = file.Bytes.Length;
        return HttpMethods.IsHead(context.Request.Method) ? Task.CompletedTask : response.Body.WriteAsync(file.Bytes, context.RequestAborted).AsTask();
    }

    /// <summary>Sets the security headers of all responses that a browser may display or execute.</summary>
    public static void Protect(HttpResponse response)
    {
        IHeaderDictionary headers = response.Headers;
        headers.ContentSecurityPolicy = Policy;
        headers.XFrameOptions = "DENY";
        headers["Referrer-Policy"] = "no-referrer";
        headers["Cross-Origin-Opener-Policy"] = "same-origin";
        headers["Cross-Origin-Resource-Policy"] = "same-origin";
        headers["Permissions-Policy"] = "camera=(), geolocation=(), microphone=()";
    }

    private static FrozenDictionary<string, (byte[] Bytes, string Type)> Load()
    {
        Assembly assembly = typeof(PageFiles).Assembly;
        Dictionary<string, (byte[], string)> files = [];
        foreach (string name in assembly.GetManifestResourceNames().Where(name => name.StartsWith(ResourcePrefix, StringComparison.Ordinal)))
        {
            using Stream stream = assembly.GetManifestResourceStream(name)!;
            byte[] bytes = new byte[stream.Length];
            stream.ReadExactly(bytes);
            files[name[ResourcePrefix.Length..]] = (bytes, TypeOf(name));
        }

        return files.ToFrozenDictionary();
    }

    private static string TypeOf(string name) => Path.GetExtension(name) switch
    {
        ".html" => "text/html; charset=utf-8",
        ".css" => "text/css; charset=utf-8",
        ".js" => "text/javascript; charset=utf-8",
        ".svg" => "image/svg+xml",
        _ => "application/octet-stream",
    };
}
