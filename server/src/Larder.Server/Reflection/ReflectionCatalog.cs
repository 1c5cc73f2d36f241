using Google.Protobuf.Reflection;
using Larder.Protocol;
using Larder.Server.Reflection.Messages;
using Larder.Wire;

namespace Larder.Server.Reflection;

/// <summary>Provides the descriptors of the server's services for gRPC reflection.</summary>
internal static class ReflectionCatalog
{
    private static readonly FileDescriptor[] s_files =
    [
        CacheReflection.Descriptor,
        ControlReflection.Descriptor,
        ExtrasReflection.Descriptor,
        PipelineReflection.Descriptor,
        PubsubReflection.Descriptor,
        TokenReflection.Descriptor,
        HealthReflection.Descriptor,
        ReflectionReflection.Descriptor,
    ];

    private static readonly Dictionary<string, FileDescriptor> s_byName = s_files.ToDictionary(static file => file.Name, StringComparer.Ordinal);
    private static readonly Dictionary<string, FileDescriptor> s_bySymbol = Symbols();

    /// <summary>Gets the full names of the services, sorted.</summary>
    public static IReadOnlyList<string> Services { get; } =
        [.. s_files.SelectMany(static file => file.Services).Select(static service => service.FullName).Order(StringComparer.Ordinal)];

    /// <summary>Returns the response to a request. It may be an error response.</summary>
    public static ServerReflectionResponse Answer(ServerReflectionRequest request)
    {
        ServerReflectionResponse answer = new() { ValidHost = request.Host, OriginalRequest = request };
        switch (request.MessageRequestCase)
        {
            case ServerReflectionRequest.MessageRequestOneofCase.ListServices:
                answer.ListServicesResponse = new ListServiceResponse { Service = { Services.Select(static name => new ServiceResponse { Name = name }) } };
                break;
            case ServerReflectionRequest.MessageRequestOneofCase.FileByFilename:
                AnswerFile(answer, s_byName, request.FileByFilename, "file");
                break;
            case ServerReflectionRequest.MessageRequestOneofCase.FileContainingSymbol:
                AnswerFile(answer, s_bySymbol, request.FileContainingSymbol, "symbol");
                break;
            case ServerReflectionRequest.MessageRequestOneofCase.FileContainingExtension:
                Fail(answer, StatusCode.NotFound, "the messages of this server have no extensions");
                break;
            case ServerReflectionRequest.MessageRequestOneofCase.AllExtensionNumbersOfType when s_bySymbol.ContainsKey(request.AllExtensionNumbersOfType):
                answer.AllExtensionNumbersResponse = new ExtensionNumberResponse { BaseTypeName = request.AllExtensionNumbersOfType };
                break;
            case ServerReflectionRequest.MessageRequestOneofCase.AllExtensionNumbersOfType:
                Fail(answer, StatusCode.NotFound, "unknown message type");
                break;
            default:
                Fail(answer, StatusCode.InvalidArgument, "unknown kind of reflection request");
                break;
        }

        return answer;
    }

    private static void AnswerFile(ServerReflectionResponse answer, Dictionary<string, FileDescriptor> files, string name, string kind)
    {
        if (!files.TryGetValue(name, out FileDescriptor? file))
        {
            Fail(answer, StatusCode.NotFound, $"unknown {kind}");
            return;
        }

        // Includes all imported files, so that the client does not have to request them.
        answer.FileDescriptorResponse = new FileDescriptorResponse();
        Add(file, []);

        void Add(FileDescriptor next, HashSet<string> added)
        {
            if (added.Add(next.Name))
            {
                answer.FileDescriptorResponse.FileDescriptorProto.Add(next.SerializedData);
                foreach (FileDescriptor imported in next.Dependencies)
                {
                    Add(imported, added);
                }
            }
        }
    }

    private static void Fail(ServerReflectionResponse answer, StatusCode code, string message) =>
        answer.ErrorResponse = new ErrorResponse { ErrorCode = (int)code, ErrorMessage = message };

    private static Dictionary<string, FileDescriptor> Symbols()
    {
        Dictionary<string, FileDescriptor> symbols = new(StringComparer.Ordinal);
        foreach (FileDescriptor file in s_files)
        {
            foreach (ServiceDescriptor service in file.Services)
            {
                symbols.Add(service.FullName, file);
                foreach (MethodDescriptor method in service.Methods)
                {
                    symbols.Add(method.FullName, file);
                }
            }

            AddTypes(symbols, file, file.MessageTypes, file.EnumTypes);
        }

        return symbols;
    }

    private static void AddTypes(
        Dictionary<string, FileDescriptor> symbols,
        FileDescriptor file,
        IEnumerable<MessageDescriptor> messages,
        IEnumerable<EnumDescriptor> enums)
    {
        foreach (EnumDescriptor type in enums)
        {
            symbols.Add(type.FullName, file);
        }

        foreach (MessageDescriptor message in messages)
        {
            symbols.Add(message.FullName, file);
            AddTypes(symbols, file, message.NestedTypes, message.EnumTypes);
        }
    }
}
