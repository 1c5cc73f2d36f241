// C++'s stock gRPC client. Arguments: PORT IN_FLIGHT CALLS REQUEST_HEX WANTED_HEX. Writes one JSON line.
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {
using Clock = std::chrono::steady_clock;

std::string FromHex(const std::string& text) {
  std::string bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2) bytes.push_back(static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16)));
  return bytes;
}

struct Call {
  grpc::ClientContext context;
  grpc::ByteBuffer answer;
  grpc::Status status;
  Clock::time_point at;
  std::unique_ptr<grpc::GenericClientAsyncResponseReader> reader;
};

std::string Text(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  std::string text;
  if (buffer.Dump(&slices).ok())
    for (const auto& slice : slices) text.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  return text;
}
}  // namespace

int main(int, char** argv) {
  const int in_flight = std::stoi(argv[2]);
  const int calls = std::stoi(argv[3]);
  const std::string request = FromHex(argv[4]), wanted = FromHex(argv[5]);
  const grpc::Slice slice(request);
  const grpc::ByteBuffer message(&slice, 1);
  grpc::GenericStub stub(grpc::CreateChannel(std::string("127.0.0.1:") + argv[1], grpc::InsecureChannelCredentials()));
  grpc::CompletionQueue queue;
  std::vector<double> took;
  std::map<std::string, int> errors;
  int begun = 0, wrong = 0;
  auto begin = [&] {
    auto* call = new Call;
    begun++;
    call->context.AddMetadata("cache", "cache");
    call->context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
    call->at = Clock::now();
    call->reader = stub.PrepareUnaryCall(&call->context, "/cache_client.Scs/Get", message, &queue);
    call->reader->StartCall();
    call->reader->Finish(&call->answer, &call->status, call);
  };
  const auto began = Clock::now();
  while (begun < std::min(in_flight, calls)) begin();
  void* tag;
  bool ok;
  while (static_cast<int>(took.size()) < calls && queue.Next(&tag, &ok)) {
    std::unique_ptr<Call> call(static_cast<Call*>(tag));
    took.push_back(std::chrono::duration<double, std::micro>(Clock::now() - call->at).count());
    if (!call->status.ok())
      errors[std::to_string(call->status.error_code())]++;
    else if (Text(call->answer) != wanted)
      wrong++;
    if (begun < calls) begin();
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
  std::sort(took.begin(), took.end());
  std::printf("{\"seconds\":%f,\"p999Us\":%f,\"maxUs\":%f,\"wrong\":%d,\"errors\":{", seconds, took[calls * 999L / 1000], took.back(), wrong);
  const char* comma = "";
  for (const auto& [code, count] : errors) std::printf("%s\"status %s\":%d", comma, code.c_str(), count), comma = ",";
  std::puts("}}");
}
